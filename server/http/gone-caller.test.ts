import { connect } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '#test/services/until.ts';
import { isOfGoneCaller } from './error-response.ts';

test('a caller that disconnects during its body is distinguished from other failures', async () => {
  const thrown: unknown[] = [];
  const app = new Hono();
  let bytes = 0;
  app.put('/', async (c) => {
    for await (const piece of c.req.raw.body ?? []) bytes += piece.byteLength;
    return c.body(null);
  });
  app.onError((error, c) => {
    thrown.push(error);
    return c.body(null);
  });
  const port = await new Promise<number>((resolve) => {
    const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, (address) => resolve(address.port));
    onTestFinished(() => void server.close());
  });
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write('PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf');
  await until('the first bytes have come', () => bytes > 0);
  socket.destroy();
  await until('reading has ended', () => thrown.length > 0);
  expect(thrown.map(isOfGoneCaller)).toEqual([true]);
  expect(isOfGoneCaller(new Error('aborted'))).toBe(false);
});
