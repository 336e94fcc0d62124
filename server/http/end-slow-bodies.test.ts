import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { until } from '#test/services/until.ts';
import { endSlowBodies } from './end-connections.ts';

test('connections whose bodies come a byte at a time are ended, those with whole requests are not', async () => {
  const answered: number[] = [];
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on('data', (piece: Buffer) => {
      bytes += piece.byteLength;
    });
    request.on('error', () => {});
    request.on('end', () => {
      answered.push(bytes);
      response.end(String(bytes));
    });
  });
  endSlowBodies(server, 1_000);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const slow = Array.from({ length: 20 }, () => {
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n');
    const dripping = setInterval(() => socket.write('x'), 50);
    socket.once('close', () => clearInterval(dripping));
    return socket;
  });
  const url = `http://127.0.0.1:${port}/`;
  const whole = await fetch(url, { method: 'POST', body: 'x'.repeat(200_000) });
  expect(await whole.text()).toBe('200000');
  await until('every slow one is ended', () => slow.every(({ closed }) => closed));
  expect(await (await fetch(url, { method: 'POST', body: 'again' })).text()).toBe('5');
  expect(answered).toEqual([200_000, 5]);
});

test('a connection with many successive bodies accumulates no listeners', async () => {
  const listeners: number[] = [];
  const server = createServer((request, response) => {
    request.resume().on('close', () => listeners.push(request.socket.listenerCount('close')));
    response.end();
  });
  endSlowBodies(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.resume();
  for (let count = 1; count <= 3; count += 1) {
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody');
    await until('the request has ended', () => listeners.length === count);
  }
  expect(new Set(listeners).size).toBe(1);
});
