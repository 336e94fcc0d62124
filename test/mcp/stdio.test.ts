import { PassThrough } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { beforeAll, describe, expect, test } from 'vitest';
import { createSearch } from '#server/features/search/index.ts';
import { runStdio } from '#server/mcp/stdio.ts';
import { StdioLines } from '#server/mcp/stdio-lines.ts';
import { runThinStdio } from '#server/mcp/thin-stdio.ts';
import { textOf } from './clients.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { keyOf, startMcpServer } from './mcp-server.ts';
import { memoryShelf } from './memory-shelf.ts';
import { sampleModules } from './sample-docs.ts';

const searchTool = 'lectern_search_documentation';
let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

interface Running {
  input: PassThrough;
  output: PassThrough;
  /** Resolves when the program exits. */
  ended: Promise<void>;
}

function runInPlace(): Running {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const search = createSearch({ shelf: memoryShelf(sampleModules) });
  const ended = runStdio({ search, productName: 'Lectern', version: '0', contextOf: () => ctx, input, output });
  return { input, output, ended };
}

async function runThin(key = keyOf('anna')): Promise<Running & { stop(): Promise<void> }> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const { url, stop } = await startMcpServer(ctx);
  const ended = runThinStdio({ url, key, input, output });
  return { input, output, ended, stop };
}

async function linesOf(running: Running, messages: unknown[]): Promise<JSONRPCMessage[]> {
  let written = '';
  running.output.on('data', (chunk: Buffer) => {
    written += chunk.toString();
  });
  running.input.end(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  await running.ended;
  return written
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as JSONRPCMessage);
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pipe', version: '1' } },
};
const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
const callSearch = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: searchTool, arguments: { query: 'create_task' } },
});

describe.each([
  ['in place', async () => runInPlace()],
  ['through a server', () => runThin()],
] as const)('standard input and output, served %s', (_, start) => {
  test.each(['2025 revisions', '2026-07-28'])('serve a client of the %s', async (era) => {
    const running = await start();
    const mode = era === '2026-07-28' ? { pin: '2026-07-28' } : ('legacy' as const);
    const client = new Client({ name: `pipe ${era}`, version: '1' }, { versionNegotiation: { mode } });
    await client.connect(new StdioLines(running.output, running.input));
    const { tools } = await client.listTools();
    expect(tools[0]?.name).toBe(searchTool);
    const call = async () => {
      const result = await client.callTool({ name: searchTool, arguments: { query: 'create_task' } });
      return textOf(result as Parameters<typeof textOf>[0]);
    };
    expect(await call()).toContain('Call `create_task(name)`');
    expect(await call()).not.toContain('Call `create_task(name)`');
    expect((await client.listPrompts()).prompts).toHaveLength(2);
    expect((await client.listResources()).resources).toHaveLength(3);
    await expect(client.getPrompt({ name: 'my_docs' })).rejects.toMatchObject({ code: -32602 });
    running.input.end();
    await running.ended;
  });

  test('answer every request sent before the input closed, write nothing else, and end', async () => {
    const answers = await linesOf(await start(), [initialize, initialized, callSearch(2), callSearch(3)]);
    expect(new Set(answers.map((answer) => ('id' in answer ? answer.id : undefined)))).toEqual(new Set([1, 2, 3]));
    expect(JSON.stringify(answers).match(/Call `create_task\(name\)`/g)?.length).toBeLessThanOrEqual(2);
  });

  test('say what to send for a malformed call', async () => {
    const shapes = [
      { name: searchTool, arguments: null },
      { name: searchTool, arguments: ['create_task'] },
      { name: 7, arguments: {} },
      { arguments: {} },
      undefined,
    ];
    const calls = shapes.map((params, index) => ({ jsonrpc: '2.0', id: index + 2, method: 'tools/call', params }));
    const answers = await linesOf(await start(), [initialize, initialized, ...calls]);
    const said = new Map(answers.map((answer) => ['id' in answer ? answer.id : undefined, JSON.stringify(answer)]));
    expect(said.get(2)).toContain('The request is not valid: give query.');
    expect(said.get(3)).toContain('arguments must be an object');
    for (const id of [4, 5, 6])
      expect(said.get(id)).toMatch(/There is no tool .* Call lectern_search_documentation or/);
  });

  test('end at once if the input closes without a request', async () => {
    expect(await linesOf(await start(), [])).toEqual([]);
  });

  test('end if a call was cancelled before the input closed', async () => {
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } };
    const answers = await linesOf(await start(), [initialize, initialized, callSearch(2), cancel]);
    expect(answers[0]).toMatchObject({ id: 1, result: {} });
  });

  test.each([
    'hello',
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1e400,"method":"ping"}',
    '{"jsonrpc":"2.0","id":2,"method":"ping","params":null}',
    '{"jsonrpc":"2.0","id":2,"method":"ping","params":[]}',
  ])('report a line that is not a message (%s), and continue', async (line) => {
    const running = await start();
    running.input.write(`${line}\n`);
    const answers = await linesOf(running, [initialize]);
    expect(answers).toMatchObject([
      { id: null, error: { code: -32700 } },
      { id: 1, result: {} },
    ]);
  });
});

describe('a thin client', () => {
  test('restarts a session that the server no longer knows', async () => {
    const running = await runThin();
    const client = new Client({ name: 'long-lived', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(new StdioLines(running.output, running.input));
    await ctx.db.query.deleteFrom('agentSessions').execute();
    const results = await Promise.all([client.listTools(), client.listPrompts(), client.listTools()]);
    expect(results[0].tools).toHaveLength(2);
    running.input.end();
    await running.ended;
  });

  test('relays why its key is refused', async () => {
    const answers = await linesOf(await runThin(keyOf('nobody')), [initialize]);
    expect(answers).toMatchObject([
      { id: 1, error: { message: expect.stringContaining('unknown, revoked or mistyped') } },
    ]);
  });

  test('reports that the server is unreachable', async () => {
    const running = await runThin();
    await running.stop();
    const answers = await linesOf(running, [initialize]);
    expect(answers).toMatchObject([{ id: 1, error: { message: expect.stringContaining('could not be reached') } }]);
  });
});
