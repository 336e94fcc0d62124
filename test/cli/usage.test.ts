import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { cli, isOneSentence } from './run-cli.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const commands = [
  'start',
  'index',
  'search',
  'read',
  'modules',
  'remove',
  'key create',
  'link',
  'host-key forget',
  'domain withdraw',
  'mcp',
  'doctor',
  'backup',
  'restore',
  'move',
];

test.each(commands)('"%s --help" prints its usage and exits with code 0', async (command) => {
  const { code, output, errors } = await cli([...command.split(' '), '--help']);
  expect(output).toContain(`Usage: lectern ${command}`);
  expect(output).toContain('--data DIR');
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
});

test('"help" followed by a command prints its usage', async () => {
  const asked = await cli(['help', 'key', 'create']);
  expect(asked).toEqual(await cli(['key', 'create', '--help']));
});

test('without a command, every command is listed', async () => {
  const { code, output } = await cli([]);
  expect(code).toBe(0);
  for (const command of commands) expect(output).toContain(command);
});

test.each([
  [['frobnicate'], 'there is no command "frobnicate"'],
  [['key'], 'name a command: key create'],
  [['incident', '--help'], 'incident open, incident update, incident resolve, incident list'],
  [['help', 'frobnicate'], 'there is no command "frobnicate"'],
  [['search'], 'give a query'],
  [['search', 'two', 'words'], 'quote words that belong together'],
  [['search', 'x', '--budget', 'many'], '--budget takes a whole number from 100 to 10000'],
  [['search', 'x', '--constructor'], 'there is no option --constructor'],
  [['search', '--no-verify'], 'put -- before it: lectern search -- "--no-verify"'],
  [['index', ''], 'give an address or a folder'],
  [['index', 'https://example.org', '--max-pages', '100001'], '--max-pages takes a whole number from 1 to 100000'],
  [['index', 'https://example.org', '--name', 'No Slug'], 'lower-case letters'],
  [['index', 'https://example.org/r.git', '--branch', 'a', '--tag', 'b'], 'give --branch or --tag, not both'],
  [['index', 'docs.example.org/en'], 'for a site write https://docs.example.org/en'],
  [['index', '/no/such/folder'], 'there is no folder /no/such/folder'],
  [['modules', '--port', '70000'], '--port takes a whole number from 0 to 65535'],
  [['modules', '--data'], '--data needs a value'],
  [['modules', '--data', 'a', '--data', 'b'], '--data was given twice'],
])('%j is refused with code 2 and one sentence', async (args, sentence) => {
  const { code, output, errors } = await cli(args);
  expect(errors).toContain(sentence);
  expect(isOneSentence(errors)).toBe(true);
  expect({ code, output }).toEqual({ code: 2, output: '' });
});

test('all configuration errors are reported at once', async () => {
  const { code, errors } = await cli(['modules'], { env: { LECTERN_PORT: 'x', LECTERN_ALLOW_HOSTS: 'nowhere' } });
  expect(code).toBe(1);
  expect(errors).toContain('LECTERN_PORT must be a whole number');
  expect(errors).toContain('LECTERN_ALLOW_HOSTS must be host:port');
  expect(errors).not.toMatch(/\n\s+at /);
});

test.each([
  [['--dark'], "Unknown option '--dark'"],
  [['--states', 'full,broken'], '"broken" is none of: as it is, full, loading'],
])('the screenshot script refuses %j', async (args, sentence) => {
  const { takeScreens } = (await import(join(root, 'scripts/screens.mjs'))) as {
    takeScreens(root: string, args: string[]): Promise<number>;
  };
  await expect(takeScreens('/nowhere', args)).rejects.toThrow(sentence);
});
