import { spawn } from 'node:child_process';
import { cpSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { compiledFolder } from '../services/compiled.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { cli, entry, startCli, startServer } from './run-cli.ts';

async function connect(args: string[], env: Record<string, string> = {}): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(entry), 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiledFolder, ...env },
  });
  await client.connect(transport);
  return client;
}

async function toolNames(args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const client = await connect(args, env);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

const both = ['lectern_read_url', 'lectern_search_documentation'];

test('"mcp" serves an agent from the data folder alone', async () => {
  expect((await toolNames(['--data', temporaryFolder()])).sort()).toEqual(both);
});

test('"mcp" refuses every request if the named data folder does not exist, and does not create it', async () => {
  const data = join(temporaryFolder(), 'mistyped');
  const child = startCli(['mcp', '--data', data], { hasInput: true });
  child.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
  const { code, output } = await child.ended;
  expect(JSON.parse(output)).toMatchObject({
    id: 1,
    error: { message: expect.stringMatching(/no installation in .*mistyped/) },
  });
  expect([code, existsSync(data)]).toEqual([1, false]);
});

test('"mcp" names the site and the icons of an installation with a public address', async () => {
  const client = await connect(['--data', temporaryFolder()], { LECTERN_PUBLIC_URL: 'https://docs.example' });
  expect(client.getServerVersion()).toMatchObject({
    websiteUrl: 'https://docs.example',
    icons: [{ src: 'https://docs.example/favicon.svg' }, { src: 'https://docs.example/icon-192.png' }],
  });
  await client.close();
});

test('"mcp" works next to a running server on the same data folder', async () => {
  const data = temporaryFolder();
  await startServer(data);
  expect((await toolNames(['--data', data])).sort()).toEqual(both);
});

test('"mcp" relays to another server, given its address and a key', async () => {
  const data = temporaryFolder();
  const { url } = await startServer(data);
  const { output } = await cli(['key', 'create', 'agent', '--data', data]);
  const env = { LECTERN_URL: url, LECTERN_API_KEY: output.trim() };
  expect((await toolNames(['--data', temporaryFolder()], env)).sort()).toEqual(both);
});

test('"mcp" ends when its input closes', async () => {
  const { code, output } = await cli(['mcp', '--data', temporaryFolder()]);
  expect({ code, output }).toEqual({ code: 0, output: '' });
});

test('"mcp" with a server address but no key names the missing variable in every response', async () => {
  const child = startCli(['mcp'], { env: { LECTERN_URL: 'http://127.0.0.1:9' }, hasInput: true });
  child.child.stdin?.end('{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}\n');
  const { code, output, errors } = await child.ended;
  expect(code).toBe(0);
  const said = 'LECTERN_API_KEY is not set. Set it to a key that you create at http://127.0.0.1:9/keys.';
  expect(JSON.parse(output)).toMatchObject({ id: 1, error: { message: said } });
  expect(errors).toContain(said);
});

test('"mcp" relays from a clone without installed packages', async () => {
  const [clone, data] = [temporaryFolder(), temporaryFolder()];
  const root = fileURLToPath(new URL('../../', import.meta.url));
  for (const part of ['scripts', 'server', 'contract', 'package.json', 'package-lock.json']) {
    cpSync(join(root, part), join(clone, part), { recursive: true });
  }
  const relay = (args: string[], env: Record<string, string>) => {
    const child = spawn(process.execPath, [join(clone, 'scripts/lectern.mjs'), 'mcp', ...args], {
      env: { PATH: '', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const params = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    child.stdin.end(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    return text(child.stdout);
  };
  const { url } = await startServer(data);
  const key = (await cli(['key', 'create', 'agent', '--data', data])).output.trim();
  const answers = await Promise.all([
    relay([], { LECTERN_URL: `${url}/`, LECTERN_API_KEY: key }),
    relay(['--data', data], {}),
  ]);
  for (const answer of answers) expect(JSON.parse(answer)).toMatchObject({ id: 1, result: { serverInfo: {} } });
  expect(JSON.parse(await relay([], { LECTERN_URL: url }))).toMatchObject({
    error: { message: expect.stringContaining('LECTERN_API_KEY is not set') },
  });
});
