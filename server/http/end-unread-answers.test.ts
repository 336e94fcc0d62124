import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '#test/services/until.ts';
import { endUnreadAnswers } from './end-connections.ts';

const large = Buffer.alloc(20_000_000);

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** Opens a connection that requests a path and reads nothing. */
function silent(port: number, path: string) {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
  return socket;
}

test('connections that read nothing of their response are ended, even if it comes late; others are not', async () => {
  const server = createServer(({ url }, response) => {
    void delay(url === '/at-once' ? 0 : 900).then(() => response.end(url === '/small' ? 'small' : large));
  });
  endUnreadAnswers(server, { silentMs: 300 });
  const ended: unknown[] = [];
  server.on('connection', (socket) => {
    const { remotePort } = socket;
    socket.once('close', () => ended.push(remotePort));
  });
  const port = await listening(server);
  const stuck = [silent(port, '/at-once'), silent(port, '/late')];
  const small = await fetch(`http://127.0.0.1:${port}/small`);
  expect(await small.text()).toBe('small');
  const late = await fetch(`http://127.0.0.1:${port}/late`);
  expect((await late.arrayBuffer()).byteLength).toBe(large.byteLength);
  await until('both are ended', () => stuck.every(({ localPort }) => ended.includes(localPort)));
  for (const socket of stuck) socket.destroy();
});

test('memory of unread responses is limited: connections with the most unread are ended', async () => {
  const server = createServer((_, response) => response.end(large));
  endUnreadAnswers(server, { bytesMax: 3 * large.byteLength });
  let open = 0;
  server.on('connection', (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
  });
  const port = await listening(server);
  const stuck = Array.from({ length: 10 }, () => silent(port, '/'));
  await until('some are ended', () => open > 0 && open <= 3);
  const read = await fetch(`http://127.0.0.1:${port}/`);
  expect((await read.arrayBuffer()).byteLength).toBe(large.byteLength);
  for (const socket of stuck) socket.destroy();
});
