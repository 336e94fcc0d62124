import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { compiledFolder } from '../services/compiled.ts';
import { temporaryFolder } from '../services/temporary-folder.ts';
import { cli, entry, startServer } from './run-cli.ts';

async function toolNames(args: string[], env: Record<string, string> = {}): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(entry), 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', NODE_COMPILE_CACHE: compiledFolder, ...env },
  });
  await client.connect(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

const both = ['lectern_read_url', 'lectern_search_documentation'];

test('"mcp" serves an agent from the data folder alone', async () => {
  expect((await toolNames(['--data', temporaryFolder()])).sort()).toEqual(both);
});

test('"mcp" works beside a running server on the same data folder', async () => {
  const data = temporaryFolder();
  await startServer(data);
  expect((await toolNames(['--data', data])).sort()).toEqual(both);
});

test('"mcp" speaks for another server with its address and a key', async () => {
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
