import { expect, test } from 'vitest';
import { z } from 'zod';
import { countTokens } from '#server/ingest/split/index.ts';
import { instructions, toolDefinitions } from '#server/mcp/tool-definitions.ts';
import { connect } from './clients.ts';
import { contextOf } from './context-of.ts';
import { startMcpServer } from './mcp-server.ts';

const surfaces = [
  ['Lectern', 'product'],
  ['Lectern', 'deep-research'],
  ['A very long product name, Incorporated', 'product'],
] as const;

test.each(surfaces)('the tools of %s (%s naming) cost at most 350 tokens, the instructions 150', (name, naming) => {
  const told = countTokens(instructions(name, naming));
  expect(told).toBeLessThanOrEqual(150);
  expect(countTokens(JSON.stringify(toolDefinitions(name, naming)))).toBeLessThanOrEqual(350);
  if (name === 'Lectern')
    expect(countTokens(JSON.stringify(toolDefinitions(name, naming))) + told).toBeLessThanOrEqual(350);
  // Titles, hints and output schemas are for clients, not for the model.
  const shown = toolDefinitions(name, naming, { mayAskToIndex: true }).map((tool) => ({
    ...{ name: tool.name, description: tool.description, inputSchema: tool.inputSchema },
  }));
  expect(countTokens(JSON.stringify(shown))).toBeLessThanOrEqual(350);
});

test('a client gets exactly the tool definitions that were counted', async () => {
  const { url } = await startMcpServer(await contextOf());
  const { client } = await connect('session-bearing', url);
  const { tools } = await client.listTools();
  expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(350);
  expect(tools).toEqual(toolDefinitions('Lectern', 'product'));
  for (const tool of tools) {
    expect(tool.title).toMatch(/^[A-Z][a-z ]+$/);
    expect(Object.keys(tool.annotations ?? {})).toHaveLength(4);
    expect(tool._meta).toEqual({ 'anthropic/alwaysLoad': true });
    expect(tool.outputSchema).toEqual({ type: 'object' });
  }
  expect(client.getServerVersion()).toMatchObject({
    ...{ name: 'Lectern', title: 'Lectern', websiteUrl: 'https://docs.example' },
    icons: [{ src: 'https://docs.example/favicon.svg' }, { src: 'https://docs.example/icon-192.png' }],
  });
});

test('lists of tools and prompts may be kept for an hour, the list of modules for a minute', async () => {
  const { url } = await startMcpServer(await contextOf());
  const { client } = await connect('session-less', url);
  const lifetimes = async (method: string) => {
    const result = await client.request({ method } as never, z.looseObject({ ttlMs: z.number() }));
    return result.ttlMs;
  };
  expect(await lifetimes('tools/list')).toBe(3_600_000);
  expect(await lifetimes('prompts/list')).toBe(3_600_000);
  expect(await lifetimes('resources/list')).toBe(60_000);
});

test('tool names derive from the product name and are valid for every client', () => {
  for (const productName of ['Lectern', 'My Docs 2', '文書', '…']) {
    for (const tool of toolDefinitions(productName, 'product')) expect(tool.name).toMatch(/^[a-z0-9_]{1,64}$/);
  }
  expect(toolDefinitions('My Docs 2', 'product').map((tool) => tool.name)).toEqual([
    'my_docs_2_search_documentation',
    'my_docs_2_read_url',
  ]);
});

test('a client that would show structured content instead of text gets no output schema', async () => {
  const { url } = await startMcpServer(await contextOf());
  const { client } = await connect('session-bearing', url, { name: 'claude-code' });
  const { tools } = await client.listTools();
  expect(tools.map(({ outputSchema }) => outputSchema)).toEqual([undefined, undefined]);
  const answer = await client.callTool({ name: 'lectern_search_documentation', arguments: { query: 'create_task' } });
  expect(answer).not.toHaveProperty('structuredContent');
});

test('structured content is sent for any budget to clients that validate the output schema', async () => {
  const { url } = await startMcpServer(await contextOf());
  const { client } = await connect('session-bearing', url);
  await client.listTools();
  for (const [name, values] of [
    ['lectern_search_documentation', { query: 'create_task' }],
    ['lectern_search_documentation', { query: 'qqqqzzzz wwwwvvvv' }],
    ['lectern_read_url', { url: 'https://tasklib.example/tasks' }],
  ] as const) {
    const answer = await client.callTool({ name, arguments: { ...values, budget: 100 } });
    expect(answer.structuredContent, JSON.stringify(values)).toBeTypeOf('object');
  }
});
