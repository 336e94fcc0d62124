import { createRequire } from 'node:module';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { textOf } from './clients.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { keyOf, startMcpServer } from './mcp-server.ts';

let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

/** Starts the published client like its users do: as a separate process that gets only the server's address. */
async function startRefClient(origin: string, key: string) {
  const program = createRequire(import.meta.url).resolve('ref-tools-mcp/dist/index.cjs');
  const client = new Client({ name: 'editor', version: '1.0.0' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [program],
    env: { PATH: process.env['PATH'] ?? '', REF_URL: origin, REF_API_KEY: key },
    stderr: 'ignore',
  });
  await client.connect(transport);
  onTestFinished(() => client.close());
  return async (name: string, values: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: values });
    return textOf(result as Parameters<typeof textOf>[0]);
  };
}

test('the published client searches and reads, and does not get the same passages twice', async () => {
  const { origin } = await startMcpServer(ctx);
  const call = await startRefClient(origin, keyOf('bert'));
  const found = await call('ref_search_documentation', { query: 'create_task' });
  expect(found).toMatch(
    /^overview: Tasks > Creating tasks\nCall `create_task\(name\)`[^]*\nurl: https:\/\/tasklib\.example\/tasks#create-task\nmoduleId: tasklib$/m,
  );
  const again = await call('ref_search_documentation', { query: 'create_task' });
  expect(again).toMatch(
    /^overview: All that matches was sent before: \S*tasks#create-task\b[^]*Read an address to get it again/,
  );
  expect(again).not.toContain('Call `create_task');
  expect(await call('ref_read_url', { url: 'https://otherlib.example/guide.html' })).toContain('# Guide to Otherlib');
  expect(await call('ref_search_documentation', { query: 'xylophone' })).toBe('No results found');
}, 20_000);

test('the published client reports a refused key and a missing page in its own words', async () => {
  const { origin } = await startMcpServer(ctx);
  const refused = await startRefClient(origin, keyOf('nobody'));
  expect(await refused('ref_search_documentation', { query: 'x' })).toMatch(/verify your email/);
  const call = await startRefClient(origin, keyOf('anna'));
  expect(await call('ref_read_url', { url: 'https://unknown.example/' })).toBe(
    'Error reading URL: Request failed with status code 404',
  );
}, 20_000);
