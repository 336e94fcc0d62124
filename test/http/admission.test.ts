import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { underWayOfOneMax } from '#server/http/admission.ts';
import { openHttpRig } from './http-rig.ts';

/** Sends a request on a connection that stays open; returns the status. */
async function statusOf(socket: Socket, path: string, header: string): Promise<number> {
  const answered = once(socket, 'data');
  socket.write(`GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n${header}\r\n\r\n`);
  const [first] = (await answered) as [Buffer];
  return Number(first.toString('latin1').split(' ')[1]);
}

/** On SQLite a search blocks until it is done: the other searches must already be waiting. */
test('one caller’s simultaneous searches are admitted up to the limit, and other callers are served', async () => {
  const rig = await openHttpRig();
  const [{ secret }, quiet] = [await rig.createKey('flood'), await rig.createKey('quiet')];
  const sockets = Array.from({ length: 2 * underWayOfOneMax }, () => connect(rig.port, '127.0.0.1'));
  // All connections are open before the searches are sent, so that the server receives them together.
  const header = `authorization: Bearer ${secret}`;
  await Promise.all(sockets.map((socket) => statusOf(socket, '/healthz', header)));
  const answers = sockets.map((socket, index) => statusOf(socket, `/api/search?query=word${index}`, header));
  const served = await rig.send('/api/search?query=quiet', { headers: quiet.sender });
  const statuses = await Promise.all(answers);
  for (const socket of sockets) socket.destroy();
  expect(served.status).toBe(200);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(underWayOfOneMax);
});

test('a visitor who invents a cookie for each search leaves room for others', async () => {
  const rig = await openHttpRig();
  const quiet = await rig.createKey('quiet');
  const search = () => rig.send('/api/search?query=quiet', { headers: quiet.sender });
  expect((await search()).status).toBe(200);
  const sockets = Array.from({ length: 3 * underWayOfOneMax }, () => connect(rig.port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => statusOf(socket, '/healthz', 'cookie: a=b')));
  const answers = sockets.map((socket, index) =>
    statusOf(socket, `/api/search?query=word${index}`, `cookie: a=${index}`),
  );
  const served = await search();
  const statuses = await Promise.all(answers);
  for (const socket of sockets) socket.destroy();
  expect(served.status).toBe(200);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

test('calls with streamed responses count until the stream ends', async () => {
  const rig = await openHttpRig();
  const { sender } = await rig.createKey('flood');
  const send = (body: unknown, headers: Record<string, string> = {}) =>
    rig.send('/mcp', {
      method: 'POST',
      headers: {
        ...sender,
        ...headers,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...(body as object) }),
    });
  const started = await send({
    method: 'initialize',
    params: {
      protocolVersion: '2025-06-18',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'flood', version: '1' },
    },
  });
  const session = { 'mcp-session-id': started.headers.get('mcp-session-id') ?? '' };
  const search = (query: string) =>
    send({ method: 'tools/call', params: { name: 'lectern_search_documentation', arguments: { query } } }, session);
  const first = await search('first');
  expect(first.headers.get('content-type')).toBe('text/event-stream');
  await first.text();
  const answers = await Promise.all(Array.from({ length: 3 * underWayOfOneMax }, (_, index) => search(`word${index}`)));
  const streams = answers.filter(({ headers }) => headers.get('content-type') === 'text/event-stream');
  expect(streams.length).toBeLessThan(answers.length);
  await Promise.all(answers.map((answer) => answer.text()));
  const next = await search('next');
  expect(next.headers.get('content-type')).toBe('text/event-stream');
  await next.text();
});
