import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { findRunningServer } from '#server/platform/running-server.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { until } from '../services/until.ts';
import { cli, entry, isOneSentence, type RunningCommand, serveSite, startServer } from './run-cli.ts';

const page =
  '<html><body><main><h1>Kites</h1><p>Fly a box kite in steady wind of twelve knots.</p></main></body></html>';

let data: string;
let server: RunningCommand & { url: string };
let site: { origin: string; host: string };

beforeAll(async () => {
  data = temporaryFolder();
  site = await serveSite((request, response) => {
    if (request.url === '/kites/') response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
    else response.writeHead(404).end();
  });
  server = await startServer(data, { env: { LECTERN_ALLOW_HOSTS: site.host } });
}, 60_000);

test('the first start prints the address, how to sign in and the agent setup, and logs no sign-in link', () => {
  const output = server.output();
  expect(output).not.toContain('/sign-in?code=');
  expect(output).toContain(`./lectern link --data ${data}`);
  expect(output).toContain(`"url": "${server.url}/mcp"`);
  expect(output).toContain('./lectern key create');
  expect(output).toContain('"mcp"');
});

test.skipIf(!existsSync('/usr/bin/script'))('the first start on a terminal prints a sign-in link', async () => {
  const folder = join(temporaryFolder(), 'data');
  const command = `${process.execPath} ${fileURLToPath(entry)} start --port 0 --data ${folder}`;
  const terminal = spawn('/usr/bin/script', ['-qefc', command, '/dev/null'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let output = '';
  terminal.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  const ended = once(terminal, 'close');
  await until('the link is printed', () => /127\.0\.0\.1:\d+\/sign-in\?code=/.test(output), 120_000);
  const server = await findRunningServer(folder);
  process.kill(server?.pid ?? terminal.pid ?? 0, 'SIGTERM');
  await ended;
});

test('commands work through a running server', async () => {
  const indexed = await cli(['index', `${site.origin}/kites/`, '--name', 'kites', '--json', '--data', data]);
  expect(indexed.code).toBe(0);
  expect(JSON.parse(indexed.output)).toMatchObject({ moduleId: 'kites', status: 'COMPLETE', fetched: 1 });
  const found = await cli(['search', 'box kite wind', '--module', 'kites', '--data', data]);
  expect(found.output).toContain('steady wind of twelve knots');
  const read = await cli(['read', `${site.origin}/kites/`, '--data', data]);
  expect(read.output).toContain('# Kites');
  expect((await cli(['modules', '--data', data])).output).toContain('kites');
});

test('a key created while the server runs opens its MCP endpoint, and a wrong key does not', async () => {
  const { output } = await cli(['key', 'create', 'agent', '--data', data]);
  const ask = (key: string) =>
    fetch(`${server.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'initialize',
        params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
      }),
    });
  expect((await ask(output.trim())).status).toBe(200);
  expect((await ask(`lec_${'x'.repeat(38)}`)).status).toBe(401);
});

test('with a server address and a key, every command uses that server and no local folder', async () => {
  const { output } = await cli(['key', 'create', 'ci', '--right', 'index', '--right', 'manage', '--data', data]);
  const folder = join(temporaryFolder(), 'not-made');
  const env = { LECTERN_URL: server.url, LECTERN_API_KEY: output.trim(), LECTERN_DATA: folder };
  const remotely = async (...args: string[]) => {
    const ended = await cli(args, { env });
    expect([args[0], ended.code, ended.errors.includes('lectern:')]).toEqual([args[0], 0, false]);
    return ended.output;
  };
  await remotely('index', `${site.origin}/kites/`, '--name', 'remote-kites', '--private');
  expect(await remotely('modules')).toContain('remote-kites');
  expect(await remotely('search', 'box kite wind', '--module', 'remote-kites')).toContain('steady wind');
  expect(await remotely('read', `${site.origin}/kites/`)).toContain('# Kites');
  const project = temporaryFolder();
  writeFileSync(join(project, 'go.mod'), 'module shop\n\nrequire golang.org/x/text v0.3.0\n');
  await remotely('profile', project, '--name', 'shop', '--offline');
  expect(await remotely('profile', 'list')).toContain('shop');
  await remotely('profile', 'remove', 'shop');
  await remotely('remove', 'remote-kites', '--private');
  expect(existsSync(folder)).toBe(false);

  const folderAsSource = await cli(['index', project], { env });
  expect(folderAsSource.code).toBe(2);
  expect(folderAsSource.errors).toContain(`cannot be indexed at ${server.url}`);
  const named = ['modules', '--json', '--server', server.url];
  expect((await cli(named, { env: { LECTERN_API_KEY: env.LECTERN_API_KEY } })).output).toContain('[');
  const keyless = await cli(['profile', 'list', '--server', server.url]);
  expect([keyless.code, keyless.errors]).toEqual([
    1,
    `lectern: Set LECTERN_API_KEY to a key that you create at ${server.url}/keys.\n`,
  ]);
});

test('a new sign-in link is printed without other text', async () => {
  const { code, output } = await cli(['link', '--data', data]);
  expect(output.trim()).toMatch(new RegExp(`^${server.url}/sign-in\\?code=\\S+$`));
  expect(code).toBe(0);
});

test('a port other than the running server’s is refused', async () => {
  const { code, errors } = await cli(['modules', '--data', data, '--port', '1']);
  expect(errors).toMatch(/listens on port \d+, not 1/);
  expect(isOneSentence(errors)).toBe(true);
  expect(code).toBe(2);
});

test('a search in an unknown module reports the module', async () => {
  const { output, errors } = await cli(['search', 'kite', '--module', 'nothing', '--data', data]);
  expect(`${output}${errors}`).toContain('nothing');
  expect(`${output}${errors}`).not.toContain('steady wind');
});

test('an empty query is refused with one sentence', async () => {
  const { code, errors } = await cli(['search', ' ', '--data', data]);
  expect(errors).toContain('The query is empty.');
  expect(isOneSentence(errors)).toBe(true);
  expect(code).toBe(1);
});

test('a query of the maximum length works in any script, and a far longer one is refused with one sentence', async () => {
  const longest = await cli(['search', '凧'.repeat(limits.queryCharactersMax), '--data', data]);
  expect([longest.code, longest.errors]).toEqual([0, expect.stringContaining('0 results')]);
  const { code, output, errors } = await cli(['search', 'a'.repeat(100_000), '--data', data]);
  expect(errors).toContain('Shorten it');
  expect(isOneSentence(errors)).toBe(true);
  expect({ code, output }).toEqual({ code: 1, output: '' });
});

test('a second server on the same data folder is refused and learns which process holds it', async () => {
  const { code, output, errors } = await cli(['start', '--data', data, '--port', '0']);
  expect(errors).toMatch(/in use by the server \(process \d+, port \d+\)/);
  expect(isOneSentence(errors)).toBe(true);
  expect({ code, output }).toEqual({ code: 1, output: '' });
});

test('a port in use is reported with a way out', async () => {
  const { port } = new URL(server.url);
  const { code, errors } = await cli(['start', '--data', temporaryFolder(), '--port', port]);
  expect(errors).toContain(`Port ${port} is in use.`);
  expect(errors).toContain('--port');
  expect(isOneSentence(errors)).toBe(true);
  expect(code).toBe(1);
});

test('the doctor finds no fault in a running installation', async () => {
  const { code, output } = await cli(['doctor', '--json', '--data', data]);
  const { isWell, findings } = JSON.parse(output) as { isWell: boolean; findings: { what: string; state: string }[] };
  expect(findings.filter(({ state }) => state === 'fail')).toEqual([]);
  expect(findings.map(({ what }) => what)).toEqual(
    expect.arrayContaining(['Node', 'database', 'server', 'status', 'module kites']),
  );
  expect({ code, isWell }).toEqual({ code: 0, isWell: true });
});

test('a signal stops the server cleanly, and its modules are served after the next start', async () => {
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  expect(existsSync(join(data, 'server.json'))).toBe(false);
  const found = await cli(['search', 'box kite wind', '--data', data]);
  expect(found.output).toContain('steady wind of twelve knots');
});
