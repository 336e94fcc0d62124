import { sql } from 'kysely';
import { beforeAll, expect, test } from 'vitest';
import { openHttpRig } from '../http/http-rig.ts';
import { connect } from './clients.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { startMcpServer } from './mcp-server.ts';
import type { ModuleOfTest } from './memory-shelf.ts';
import { sampleModules } from './sample-docs.ts';

let ctx: TestContext;

beforeAll(async () => {
  ctx = await contextOf();
});

const page = (url: string) => ({ url, title: `Page ${url.slice(-3)}`, sections: [{ text: `About ${url}` }] });
const many: ModuleOfTest[] = Array.from({ length: 230 }, (_, at) => {
  const name = `lib-${String(at).padStart(3, '0')}`;
  return { moduleId: name, displayName: `Library number ${at}`, pages: [page(`https://${name}.example/`)] };
});

test.each(['session-less', 'session-bearing', 'older SDK'] as const)(
  'a %s client lists all modules, page by page',
  async (kind) => {
    const { url } = await startMcpServer(ctx, { modules: many });
    const { client } = await connect(kind, url);
    const names: string[] = [];
    let cursor: string | undefined;
    const sizes: number[] = [];
    do {
      const part = await client.listResources(cursor === undefined ? {} : { cursor });
      names.push(...part.resources.map(({ uri }) => uri));
      sizes.push(part.resources.length);
      cursor = part.nextCursor === cursor ? undefined : part.nextCursor;
    } while (cursor !== undefined && sizes.length < 5);
    expect(new Set(names).size).toBe(230);
  },
);

test('a module shows its size and age, and a private one only to its owner', async () => {
  const { url } = await startMcpServer(ctx);
  const { client } = await connect('session-bearing', url);
  const { resources } = await client.listResources();
  const tasklib = resources.find(({ uri }) => uri === 'lectern://module/tasklib');
  expect(tasklib).toMatchObject({
    annotations: { lastModified: '2026-01-01T00:00:00.000Z' },
    _meta: { 'lectern/pages': 3 },
  });
  const { contents } = await client.readResource({ uri: 'lectern://module/tasklib' });
  const [content] = contents as { text: string; _meta?: Record<string, unknown> }[];
  expect(tasklib?.size).toBe(Buffer.byteLength(content?.text ?? ''));
  expect(content?._meta).toMatchObject({ lastModified: '2026-01-01T00:00:00.000Z' });
  expect(resources.map(({ uri }) => uri)).toContain('lectern://module/ours');
  const { client: other } = await connect('session-bearing', url, { userId: 'bert' });
  expect((await other.listResources()).resources.map(({ uri }) => uri)).not.toContain('lectern://module/ours');
  const completed = async (reader: typeof client, value: string) => {
    const ref = { type: 'ref/resource' as const, uri: 'lectern://module/{id}' };
    return (await reader.complete({ ref, argument: { name: 'id', value } })).completion.values;
  };
  expect(await completed(client, 'our')).toContain('ours');
  for (const begun of ['', 'our', 'handbook']) expect(await completed(other, begun)).not.toContain('ours');
  const refusalOf = async (uri: string) => {
    const outcome = await other.readResource({ uri }).then(
      () => 'answered',
      (error: Error) => error.message,
    );
    return outcome.replace('ours', 'none');
  };
  expect(await refusalOf('lectern://module/ours')).toBe(await refusalOf('lectern://module/none'));
  expect(await refusalOf('https://intranet.example/deploy')).not.toBe('answered');
  const foreign = await refusalOf('lectern://module/ours/pages/1');
  expect(foreign).toBe(await refusalOf('lectern://module/none/pages/1'));
  expect(foreign).not.toBe('answered');
});

test('a module’s pages are listed page by page, and read by their addresses', async () => {
  const pages = Array.from({ length: 450 }, (_, at) => page(`https://big.example/${String(at).padStart(3, '0')}`));
  const { url } = await startMcpServer(ctx, { modules: [{ moduleId: 'big', pages }, ...sampleModules] });
  const { client } = await connect('session-less', url);
  const read = async (uri: string) => ((await client.readResource({ uri })).contents[0] as { text: string }).text;
  const first = await read('lectern://module/big/pages/1');
  expect(first).toContain('pages 1 to 200 of 450');
  expect(first).toContain('- Page 000: https://big.example/000');
  expect(first).toContain('More: lectern://module/big/pages/2');
  expect(await read('lectern://module/big/pages/3')).toMatch(/pages 401 to 450 of 450[^]*big\.example\/449$/);
  await expect(read('lectern://module/big/pages/4')).rejects.toThrow();
  expect(await read('https://big.example/007')).toContain('About https://big.example/007');
});

test('module names are completed by prefix first, then by any substring', async () => {
  const { url } = await startMcpServer(ctx, { modules: many });
  const { client } = await connect('session-bearing', url);
  const complete = async (value: string) => {
    const ref = { type: 'ref/resource' as const, uri: 'lectern://module/{id}' };
    return (await client.complete({ ref, argument: { name: 'id', value } })).completion;
  };
  expect((await complete('lib-00')).values).toHaveLength(10);
  expect((await complete('number 17')).values).toContain('lib-017');
  expect(await complete('')).toMatchObject({ total: 230, hasMore: true });
  expect((await complete('nothing')).values).toEqual([]);
});

test('an agent is told only the request id of a database error', async () => {
  const rig = await openHttpRig();
  const { sender } = await rig.createKey();
  await sql`alter table modules rename to elsewhere`.execute(rig.running.installation.base.db.query);
  const ref = { type: 'ref/resource', uri: 'lectern://module/{id}' };
  const calls: [string, object][] = [
    ['resources/list', {}],
    ['resources/read', { uri: 'lectern://module/x' }],
    ['resources/read', { uri: 'lectern://module/x/pages/1' }],
    ['completion/complete', { ref, argument: { name: 'id', value: 'x' } }],
    ['tools/call', { name: 'lectern_search_documentation', arguments: { query: 'x' } }],
  ];
  for (const [method, params] of calls) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const headers = { ...sender, 'content-type': 'application/json' };
    const { error } = (await (await rig.send('/mcp', { method: 'POST', headers, body })).json()) as {
      error: { code: number; message: string };
    };
    expect(error, method).toMatchObject({
      code: -32603,
      message: expect.stringMatching(/^Something went wrong on our side/),
    });
  }
});
