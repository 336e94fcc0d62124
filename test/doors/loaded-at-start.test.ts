import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../services/temporary-folder.ts';

/** Starts the real server and stops it once it is ready. */
const program = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
const { loadConfig } = await import('#server/platform/config/config.ts');
const { serve } = await import('#server/cli/serve.ts');
const { config } = loadConfig({}, { LECTERN_DATA: process.argv[1], LECTERN_PORT: '0', LOG_LEVEL: 'error' });
const running = await serve(config);
await running.close();
console.log(JSON.stringify(urls));
`;

/** Code that only other threads or processes use, or that only some installations need. */
const notNeeded = [
  ...['yaml', 'graphql', 'smol-toml', 'parse5', 'unpdf', 'pg', 'stripe', 'nodemailer'].map(
    (name) => `/node_modules/${name}/`,
  ),
  ...['@octokit/', '@aws-sdk/', '@opensearch-project/', '@ai-sdk/openai-compatible/'].map(
    (name) => `/node_modules/${name}`,
  ),
  '/server/ingest/extract/',
  '/server/ingest/formats/markdown/',
  '/server/ingest/split/split-document.ts',
];

/**
 * All packages that an idle server has in memory. Adding one costs every server memory; load it on first use if
 * possible.
 */
const packages = [
  '@hono/node-server',
  '@modelcontextprotocol/core',
  '@modelcontextprotocol/server',
  '@openfeature/core',
  '@openfeature/server-sdk',
  '@opentelemetry/api',
  '@pinojs/redact',
  'atomic-sleep',
  'bintrees',
  // Only its escaping.
  'entities',
  'hono',
  'kysely',
  'oauth4webapi',
  'on-exit-leak-free',
  'pino',
  'pino-std-serializers',
  'prom-client',
  'quick-format-unescaped',
  'safe-stable-stringify',
  'sonic-boom',
  'tdigest',
  'thread-stream',
  'zod',
];

const countOfSearch = `
import { registerHooks } from 'node:module';
const urls = [];
registerHooks({ load: (url, context, next) => (urls.push(url), next(url, context)) });
await import('#server/features/search/search-docs.ts');
console.log(JSON.stringify(urls));
`;

test('one search loads fewer than 230 project files and no indexing code', () => {
  const loaded = filesLoadedBy(countOfSearch);
  expect(loaded.some((url) => url.endsWith('/search/search-docs.ts'))).toBe(true);
  expect(loaded.filter((url) => url.includes('/features/indexing/') || url.includes('/ingest/crawl/'))).toEqual([]);
  expect(loaded.filter((url) => /\/(?:server|contract)\//.test(url)).length).toBeLessThan(230);
});

/**
 * The crawler, billing and web pages; the module that opens billing is excepted, since it listens to accounts and
 * teams.
 */
const needlessForAgents =
  /\/ingest\/crawl\/|\/features\/billing\/(?!open-billing|dependencies)|\/payments\/|\/http\/(?:public-face|static|status)|\/web\//;
const pages = /\/http\/(?:public-face|static|status)|\/web\//;

test.each([
  ['mcp', 800, needlessForAgents],
  ['web', 875, /\/ingest\/crawl\//],
  ['worker', 885, pages],
])(
  'a process with only the role %s loads at most %i files at its start and no code of other roles',
  (role, most, needless) => {
    const loaded = filesLoadedBy(program.replace('serve(config)', `serve({ ...config, roles: ['${role}'] })`));
    expect(loaded.some((url) => url.endsWith('/server/cli/serve.ts'))).toBe(true);
    expect(loaded.filter((url) => needless.test(url))).toEqual([]);
    expect(
      loaded.filter((url) => /\/(?:server|contract)\//.test(url) && !url.includes('/node_modules/')).length,
    ).toBeLessThan(most);
  },
);

test('the thread that handles calls loads no code at start that only other threads or later calls need', () => {
  const loaded = filesLoadedBy(program);
  expect(loaded.some((url) => url.endsWith('/server/cli/serve.ts'))).toBe(true);
  expect(loaded.filter((url) => notNeeded.some((part) => url.includes(part)))).toEqual([]);
  expect([...new Set(loaded.flatMap(packageOf))].sort()).toEqual(packages);
});

function filesLoadedBy(text: string): string[] {
  const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', text, temporaryFolder()];
  return JSON.parse(execFileSync(process.execPath, flags, { encoding: 'utf8' })) as string[];
}

function packageOf(url: string): string[] {
  const name = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1];
  return name === undefined ? [] : [name];
}
