import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { keyEndpoints } from '#contract/keys.ts';
import { openHttpRig } from '../http/http-rig.ts';
import { clientKinds, connect, textOf } from './clients.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { keyOf, startMcpServer } from './mcp-server.ts';

let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

describe.each(clientKinds)('a deep-research client (%s)', (kind) => {
  test('sees search and fetch, and gets its expected formats as text and as structured content', async () => {
    const { url } = await startMcpServer(ctx);
    const { client, call } = await connect(kind, url, { name: 'openai-mcp', userId: 'bert' });
    expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['search', 'fetch']);
    for (const values of [{ query: 'create_task' }, { q: 'zebra widget registry' }]) {
      const found = await call('search', values);
      const { results } = JSON.parse(textOf(found)) as { results: Record<string, unknown>[] };
      expect(found.structuredContent).toEqual({ results });
      expect(results.length).toBeGreaterThan(0);
      for (const result of results) {
        expect(Object.keys(result)).toEqual(['id', 'title', 'text', 'url']);
        expect(result['id']).toBe(result['url']);
      }
    }
    for (const values of [{ id: 'https://tasklib.example/errors' }, { url: 'https://otherlib.example/guide.html' }]) {
      const page = await call('fetch', values);
      const fetched = JSON.parse(textOf(page)) as Record<string, unknown>;
      expect(page.structuredContent).toEqual(fetched);
      expect(Object.keys(fetched)).toEqual(['id', 'title', 'text', 'url', 'metadata']);
      expect(fetched['id']).toBe(Object.values(values)[0]);
    }
  });

  test('gets a complete document, even if parts were sent before, and the rest of a long one by further ids', async () => {
    const { url } = await startMcpServer(ctx);
    const { call } = await connect(kind, url, { name: 'openai-mcp', userId: 'bert' });
    const fetched = async (id: string) =>
      JSON.parse(textOf(await call('fetch', { id }))) as { id: string; text: string; metadata: { next?: string } };
    await call('search', { query: 'create_task' });
    const [first, again] = [
      await fetched('https://tasklib.example/errors'),
      await fetched('https://tasklib.example/errors'),
    ];
    expect(again.text).toBe(first.text);
    expect(first.text).not.toContain('sent before');
    const parts: string[] = [];
    for (let id: string | undefined = 'https://tasklib.example/manual'; id !== undefined; ) {
      const part: Awaited<ReturnType<typeof fetched>> = await fetched(id);
      expect(part.id).toBe(id);
      parts.push(part.text);
      id = part.metadata.next;
    }
    expect(parts.length).toBeGreaterThan(1);
    const chapters = [...parts.join('\n').matchAll(/^#+ Chapter (\d+)$/gm)].map(([, chapter]) => Number(chapter));
    expect(chapters).toEqual(Array.from({ length: 40 }, (_, chapter) => chapter));
  });

  test('gets an empty list if nothing is found', async () => {
    const { url } = await startMcpServer(ctx);
    const { call } = await connect(kind, url, { name: 'openai-mcp', userId: 'bert' });
    expect(textOf(await call('search', { query: 'xylophone' }))).toBe('{"results":[]}');
  });
});

test('a deep-research key shows any client the same tool names', async () => {
  const rig = await openHttpRig();
  const { key, secret } = await rig.ask(keyEndpoints.createKey, { name: 'Researcher', hasDeepResearchTools: true });
  expect(key.hasDeepResearchTools).toBe(true);
  const client = new Client({ name: 'anything', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${secret}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', rig.url), { requestInit }));
  onTestFinished(() => client.close());
  expect((await client.listTools()).tools.map((tool) => tool.name)).toEqual(['search', 'fetch']);
});

test.each([
  ['the user agent', { 'user-agent': 'openai-mcp/1.0.0 (ChatGPT)' }, {}],
  ['a request', {}, { _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'openai-mcp', version: '1' } } }],
])('the client name in %s is enough to recognize a deep-research client', async (_where, named, params) => {
  const { url } = await startMcpServer(ctx);
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf('anna')}`, 'content-type': 'application/json', ...named },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params }),
  });
  expect(await response.text()).toContain('"name":"fetch"');
});

test('clients that would show structured content instead of text get only the text', async () => {
  const { url } = await startMcpServer(ctx);
  const { call } = await connect('session-bearing', url, { name: 'claude-code' });
  const found = await call('lectern_search_documentation', { query: 'create_task' });
  expect(found.structuredContent).toBeUndefined();
  expect(textOf(found)).toContain('create_task');
});
