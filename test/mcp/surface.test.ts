import { expect, test } from 'vitest';
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
  expect(countTokens(JSON.stringify(toolDefinitions(name, naming)))).toBeLessThanOrEqual(350);
  expect(countTokens(JSON.stringify(toolDefinitions(name, naming, true)))).toBeLessThanOrEqual(350);
  expect(countTokens(instructions(name, naming))).toBeLessThanOrEqual(150);
});

test('what a client is sent is what was counted', async () => {
  const { url } = await startMcpServer(await contextOf());
  const { client } = await connect('session-bearing', url);
  const { tools } = await client.listTools();
  expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(350);
  expect(tools).toEqual(toolDefinitions('Lectern', 'product'));
});

test('names of tools derive from the product name and are valid for every client', () => {
  for (const productName of ['Lectern', 'My Docs 2', '文書', '…']) {
    for (const tool of toolDefinitions(productName, 'product')) expect(tool.name).toMatch(/^[a-z0-9_]{1,64}$/);
  }
  expect(toolDefinitions('My Docs 2', 'product').map((tool) => tool.name)).toEqual([
    'my_docs_2_search_documentation',
    'my_docs_2_read_url',
  ]);
});
