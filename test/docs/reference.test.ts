import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { callables } from '#contract/callables.ts';
import { docsSectionIds, type WrittenDocs } from '#contract/product-docs.ts';
import { commands, workshopCommands } from '#server/cli/main.ts';
import { toolDefinitions } from '#server/mcp/tool-definitions.ts';
import { writeDocs } from '../../scripts/docs/build.ts';
import { contractEndpoints } from '../../scripts/docs/contract-endpoints.ts';
import { environmentExample } from './variables-reference.ts';

const root = join(import.meta.dirname, '..', '..');
let docs: WrittenDocs;

beforeAll(async () => {
  docs = await writeDocs(root);
});

function textBelow(path: string): string {
  const pages = docs.pages.filter((page) => page.path === path || page.path.startsWith(`${path}/`));
  return pages.map(({ markdown }) => markdown).join('\n');
}

test('the REST reference contains every endpoint of the contract and every callable function', async () => {
  const text = textBelow('/docs/reference/rest');
  const endpoints = await contractEndpoints(root);
  expect(endpoints.length).toBeGreaterThan(100);
  const calls = endpoints.map(({ method, path }) => `\`${method}\` \`${path.replace(/:(\w+)/g, '{$1}')}\``);
  expect(calls.filter((call) => !text.includes(call))).toEqual([]);
  const functions = Object.values(callables).map(({ name }) => `\`POST\` \`/callable/${name}\``);
  expect(functions.filter((call) => !text.includes(call))).toEqual([]);
});

test('configurations that several agents read name their transport, because Claude Code skips servers without one', async () => {
  const pages = [...docs.pages.map(({ markdown }) => markdown), await readFile(join(root, 'README.md'), 'utf8')];
  const configs = pages.flatMap((text) => [...text.matchAll(/\{\s*"mcpServers"[^]*?\n\}/g)].map(([config]) => config));
  expect(configs.length).toBeGreaterThan(1);
  expect(configs.filter((config) => config.includes('"url"') && !config.includes('"type": "http"'))).toEqual([]);
});

test('the references contain every tool, command and variable', () => {
  const tools = toolDefinitions('Lectern', 'product', { mayAskToIndex: true }).map(({ name }) => name);
  expect(tools.filter((name) => !textBelow('/docs/reference/mcp').includes(`### ${name}`))).toEqual([]);
  const names = commands.map(({ shape }) => shape.name);
  expect(names.filter((name) => !textBelow('/docs/reference/cli').includes(`## ${name}\n`))).toEqual([]);
  const variables = [...environmentExample().matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(variables.length).toBeGreaterThan(30);
  expect(variables.filter((name) => !textBelow('/docs/reference/configuration').includes(`\`${name}\``))).toEqual([]);
});

test('every command, option, call and variable named in the guides exists', async () => {
  const endpoints = await contractEndpoints(root);
  const calls = new Set(endpoints.map(({ method, path }) => `${method} ${path.replace(/:\w+/g, '{}')}`));
  const variables = new Set([...environmentExample().matchAll(/^([A-Z_]+)=/gm)].map(([, name = '']) => name));
  const unknown = docs.pages
    .filter(({ section }) => section !== 'reference')
    .flatMap(({ path, markdown }) =>
      [
        ...commandsNamed(markdown).filter((line) => !isCommand(line)),
        ...[...markdown.matchAll(/\b(GET|POST|PUT|DELETE) (\/(?:api|admin)\/[\w{}/.-]*)/g)]
          .map(([, method, address = '']) => `${method} ${address.replace(/\{\w+\}/g, '{}').replace(/[.]$/, '')}`)
          .filter((call) => !calls.has(call) && !isRaw(call)),
        ...[...markdown.matchAll(/\bLECTERN_[A-Z_]+[A-Z]\b/g)]
          .map(([name]) => name)
          .filter((name) => !variables.has(name)),
      ].map((what) => `${path}: ${what}`),
    );
  expect(unknown).toEqual([]);
  expect(docsSectionIds).toContain('guide');
});

/** Returns true for calls without a JSON body or response, which are not in the contract. */
function isRaw(call: string): boolean {
  return ['PUT /api/pdf-uploads/{}/parts', 'GET /api/live', 'POST /api/chat'].includes(call);
}

/** Returns the commands after `./lectern` in code blocks and between backticks. */
function commandsNamed(markdown: string): string[] {
  const inCode = [...markdown.matchAll(/```(?:sh|bash|console)\n([\s\S]*?)```/g)].flatMap(([, code = '']) =>
    code.split('\n'),
  );
  const spans = [...markdown.matchAll(/`(?:\.\/)?(lectern [a-z][^`]*)`/g)].map(([, span = '']) => span);
  return [...inCode.flatMap((line) => /(?:^|\s)\.\/(lectern [^#|]*)/.exec(line)?.[1] ?? []), ...spans];
}

const workshop = workshopCommands.map(([name]) => name);

test('no development command of a clone shadows a command of the program', () => {
  const first = commands.map(({ shape }) => shape.name.split(' ')[0]);
  expect(workshop.filter((name) => first.includes(name))).toEqual([]);
});

function isCommand(line: string): boolean {
  const words = line.trim().split(/\s+/).slice(1);
  const command = commands.find(({ shape }) => shape.name === words[0] || shape.name === `${words[0]} ${words[1]}`);
  if (command === undefined) return workshop.includes(words[0] ?? '');
  const options = words.flatMap((word) => /^--([a-z-]+)/.exec(word)?.[1] ?? []);
  return options.every((name) => name in command.shape.options || ['data', 'port', 'help'].includes(name));
}
