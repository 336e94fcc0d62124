import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { until } from '../services/until.ts';
import { contextOf, type TestContext } from './context-of.ts';
import { keyOf, startMcpServer } from './mcp-server.ts';

let ctx: TestContext;
let url: string;

beforeAll(async () => {
  ctx = await contextOf();
});

interface PostOptions {
  headers?: Record<string, string>;
  userId?: string;
}

async function post(body: unknown, { headers = {}, userId = 'anna' }: PostOptions = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${keyOf(userId)}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
};
const searchCall = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'lectern_search_documentation', arguments: { query: 'create_task' } },
};

/** Returns the bytes in use after garbage collection, inside and outside the heap. */
function memoryAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

async function openSession(): Promise<string> {
  const response = await post(initialize);
  expect(response.headers.get('content-type')).toContain('application/json');
  return response.headers.get('mcp-session-id') ?? '';
}

describe('sessions of the 2025 revisions', () => {
  test('begin with initialize, end with DELETE and are unknown afterwards', async () => {
    ({ url } = await startMcpServer(ctx));
    const sessionId = await openSession();
    expect(sessionId).toMatch(/^[\x21-\x7e]{16,}$/);
    const headers = { 'mcp-session-id': sessionId };
    expect((await post(searchCall, { headers })).status).toBe(200);
    const authorized = { ...headers, authorization: `Bearer ${keyOf('anna')}` };
    expect((await fetch(url, { method: 'DELETE', headers: authorized })).status).toBe(204);
    expect((await fetch(url, { method: 'DELETE', headers: authorized })).status).toBe(404);
    const gone = await post(searchCall, { headers });
    expect(gone.status).toBe(404);
    expect(await gone.json()).toMatchObject({ error: { message: expect.stringMatching(/initialize/) } });
  });

  test('belong to one user: other users get the response for an unknown id', async () => {
    ({ url } = await startMcpServer(ctx));
    const headers = { 'mcp-session-id': await openSession() };
    const foreign = await post(searchCall, { headers, userId: 'bert' });
    const invented = await post(searchCall, { headers: { 'mcp-session-id': 'invented' }, userId: 'bert' });
    expect([foreign.status, await foreign.json()]).toEqual([invented.status, await invented.json()]);
    expect(foreign.status).toBe(404);
  });

  test('are limited per hour where plans limit users, and not elsewhere', async () => {
    ({ url } = await startMcpServer({ ...ctx, hasPlanLimits: true }));
    await openSession();
    await ctx.db.query.updateTable('rateCounts').set({ count: limits.mcpSessionsPerHourMax }).execute();
    const refused = await post(initialize);
    expect([refused.status, Number(refused.headers.get('retry-after')) > 0]).toEqual([429, true]);
    ({ url } = await startMcpServer(ctx));
    expect((await post(initialize)).status).toBe(200);
    await ctx.db.query.deleteFrom('rateCounts').execute();
  });

  test('are served by every process on the same database', async () => {
    ({ url } = await startMcpServer(ctx));
    const headers = { 'mcp-session-id': await openSession() };
    const first = await (await post(searchCall, { headers })).text();
    ({ url } = await startMcpServer(ctx));
    const second = await (await post(searchCall, { headers })).text();
    expect(first).toContain('Call `create_task(name)`');
    expect(second).not.toContain('Call `create_task(name)`');
  });

  test('take at most 55 KB each with 2,000 open, and abandoned ones free their memory', async () => {
    // A separate context, so that no other test's calls are counted.
    const own = await contextOf();
    ({ url } = await startMcpServer(own));
    const openMany = async (count: number) => {
      // On a busy machine the server may close a kept connection just as it is reused.
      const open = () => until('a session is open', () => openSession().catch(() => undefined), 120_000);
      for (let opened = 0; opened < count; opened += 25) {
        // A user's agents can open 600 an hour.
        if (opened % 500 === 0) own.clock.advance(3_600_000);
        await Promise.all(Array.from({ length: 25 }, open));
      }
    };
    await openMany(100);
    const before = memoryAfterCollection();
    await openMany(2_000);
    const open = memoryAfterCollection();
    expect(open - before).toBeLessThan(2_000 * 55_000);
    // A server object per session would keep over 40 MB; connections free their memory a moment later.
    await until('the memory is given back', () => memoryAfterCollection() - before < 6_000_000, 60_000);
    const rows = () => own.db.query.selectFrom('agentSessions').select('id').execute();
    expect((await rows()).length).toBeGreaterThanOrEqual(2_100);
    own.clock.advance(100 * 24 * 60 * 60_000);
    const headers = { 'mcp-session-id': await openSession() };
    expect((await post(searchCall, { headers })).status).toBe(200);
    // Each call deletes some of them.
    await until('their rows are gone', async () => {
      await post(searchCall, { headers });
      return (await rows()).length === 1;
    });
  }, 300_000);

  test('are optional: a request without one is answered and remembered by key and client', async () => {
    ({ url } = await startMcpServer(ctx));
    const headers = { 'user-agent': 'curious-script/1.0' };
    const first = await (await post(searchCall, { headers })).text();
    const second = await (await post(searchCall, { headers })).text();
    expect(first).toContain('Call `create_task(name)`');
    expect(second).not.toContain('Call `create_task(name)`');
  });

  test('continue under another client name if the conversation name from a result is sent back', async () => {
    ({ url } = await startMcpServer(ctx));
    const first = await post(searchCall, { headers: { 'user-agent': 'before/1.0' } });
    const { result } = (await first.json()) as { result: { _meta: Record<string, string> } };
    expect(result._meta).toMatchObject({ 'lectern/conversation': expect.any(String) });
    const inSame = { ...searchCall, params: { ...searchCall.params, _meta: result._meta } };
    const second = await (await post(inSame, { headers: { 'user-agent': 'after/1.0' } })).text();
    expect(second).not.toContain('Call `create_task(name)`');
    const foreign = await (await post(inSame, { userId: 'bert' })).text();
    expect(foreign).toContain('Call `create_task(name)`');
  });

  test('give a repeated idempotency key the first response, in any process', async () => {
    ({ url } = await startMcpServer(ctx));
    const headers = { 'mcp-session-id': await openSession() };
    const under = async (key: string) => {
      const params = { ...searchCall.params, _meta: { 'lectern/idempotency-key': key } };
      return (await post({ ...searchCall, params }, { headers })).text();
    };
    expect(await under('one')).toContain('Call `create_task(name)`');
    ({ url } = await startMcpServer(ctx));
    expect(await under('one')).toContain('Call `create_task(name)`');
    expect(await under('two')).not.toContain('Call `create_task(name)`');
  });

  test('are separated by a conversation name in _meta', async () => {
    ({ url } = await startMcpServer(ctx));
    const inConversation = async (name: string) => {
      const params = { ...searchCall.params, _meta: { 'openai/session': name } };
      return (await post({ ...searchCall, params }, { headers: { 'user-agent': 'talker/1.0' } })).text();
    };
    expect(await inConversation('one')).toContain('Call `create_task(name)`');
    expect(await inConversation('two')).toContain('Call `create_task(name)`');
    expect(await inConversation('one')).not.toContain('Call `create_task(name)`');
  });
});

test('a batch that cancels its own call is answered', async () => {
  ({ url } = await startMcpServer(ctx));
  const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: searchCall.id } };
  for (const batch of [
    [searchCall, cancel],
    [cancel, searchCall],
  ]) {
    expect(await (await post(batch)).json()).toMatchObject({ id: searchCall.id, result: { content: [{}] } });
  }
  expect((await post([cancel])).status).toBe(202);
});

test.each([
  ['resources/read', { uri: 7 }, 'params.uri must be text'],
  ['resources/list', { cursor: null }, 'params.cursor must be text'],
  ['prompts/get', { name: 'search_docs', arguments: { query: [] } }, 'params.arguments.query must be text'],
  ['completion/complete', { ref: null, argument: {} }, 'params.ref matches none of the allowed forms'],
])('%s with parameters of another form says which one is wrong', async (method, params, reason) => {
  ({ url } = await startMcpServer(ctx));
  const answer = await post({ jsonrpc: '2.0', id: 1, method, params });
  expect(await answer.json()).toMatchObject({
    error: { code: -32602, message: `The request is not valid: ${reason}.` },
  });
});

test.each([
  ['resources/read', { uri: 'lectern://pages/[1]' }],
  ['prompts/get', { name: '[1]' }],
])('%s of a name that looks like a list of faults is not found', async (method, params) => {
  ({ url } = await startMcpServer(ctx));
  const answer = await post({ jsonrpc: '2.0', id: 1, method, params });
  expect(await answer.json()).toMatchObject({ error: { message: expect.stringContaining('[1]') } });
});

test('a tool name that is no text is unknown', async () => {
  ({ url } = await startMcpServer(ctx));
  const params = { name: { toString: 'x' } };
  const answer = await post({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  expect(await answer.json()).toMatchObject({
    error: { code: -32602, message: expect.stringContaining('There is no tool') },
  });
});

describe('requests rejected before the protocol', () => {
  beforeAll(async () => {
    ctx = await contextOf();
  });

  test('GET is refused, and the response says what is offered', async () => {
    ({ url } = await startMcpServer(ctx));
    const headers = { authorization: `Bearer ${keyOf('anna')}`, accept: 'text/event-stream' };
    const response = await fetch(url, { headers });
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST, DELETE']);
  });

  test.each([
    ['no JSON', '{"jsonrpc":', {}, 400],
    ['another content type', '{}', { 'content-type': 'text/plain' }, 415],
    ['over a megabyte', JSON.stringify({ padding: 'x'.repeat(1_100_000) }), {}, 413],
    ['no message', '{"hello":1}', {}, 400],
    ['null', 'null', {}, 400],
    ['an empty batch', '[]', {}, 400],
    // They would all search at once, although only one request was admitted.
    [
      'a batch of five',
      JSON.stringify(Array.from({ length: 5 }, (_, id) => ({ jsonrpc: '2.0', id, method: 'ping' }))),
      {},
      400,
    ],
    // The protocol's error lists each fault: 120 MB for a body of one megabyte.
    [
      'more values than any message has',
      JSON.stringify({
        ...initialize,
        params: { ...initialize.params, clientInfo: { name: 'x', version: '1', icons: Array.from({ length: 2_000 }) } },
      }),
      {},
      400,
    ],
  ])('a body of %s is refused with one sentence', async (_, body, headers, status) => {
    ({ url } = await startMcpServer(ctx));
    const response = await post(body, { headers });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ jsonrpc: '2.0', error: { message: expect.any(String) } });
  });

  test('a request without a key gets a 401 with a challenge and how to send a key', async () => {
    ({ url } = await startMcpServer(ctx));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(initialize),
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata="https:/);
    expect(await response.json()).toMatchObject({ error: { message: expect.stringMatching(/Authorization: Bearer/) } });
  });

  test('a refused key gets a 401 too', async () => {
    ({ url } = await startMcpServer(ctx));
    const response = await post(initialize, { userId: 'nobody' });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toContain('invalid_token');
  });

  test.each([['x-api-key'], ['x-lectern-api-key'], ['x-ref-api-key']])('the key is read from %s', async (name) => {
    ({ url } = await startMcpServer(ctx));
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', [name]: keyOf('anna') },
      body: JSON.stringify(initialize),
    });
    expect(response.status).toBe(200);
  });

  test('the key is read from the apiKey parameter', async () => {
    ({ url } = await startMcpServer(ctx));
    const response = await fetch(`${url}?apiKey=${keyOf('anna')}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(initialize),
    });
    expect(response.status).toBe(200);
  });

  test.each([[{ origin: 'https://evil.example' }], [{ origin: 'null' }]])(
    'a web page of another site (%j) is refused before its key is checked',
    async (headers) => {
      ({ url } = await startMcpServer(ctx));
      expect((await post(initialize, { headers })).status).toBe(403);
    },
  );

  test('a web page on loopback can read the response and the session id', async () => {
    ({ url } = await startMcpServer(ctx));
    const origin = 'http://localhost:6274';
    const preflight = await fetch(url, { method: 'OPTIONS', headers: { origin } });
    expect([preflight.status, preflight.headers.get('access-control-allow-origin')]).toEqual([204, origin]);
    const response = await post(initialize, { headers: { origin } });
    expect(response.headers.get('access-control-expose-headers')).toContain('mcp-session-id');
  });
});
