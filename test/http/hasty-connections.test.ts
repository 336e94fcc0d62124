import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { productDocsEndpoints } from '#contract/product-docs.ts';
import { endingHasty, unansweredMax } from '#server/http/end-connections.ts';
import { until } from '../services/until.ts';
import { openHttpRig } from './http-rig.ts';

test('a connection that sends many requests before reading a response is closed, one that sends a few is served', async () => {
  const rig = await openHttpRig();
  const send = (count: number) => {
    const socket = connect(rig.port, '127.0.0.1').on('error', () => {});
    const seen = { answers: 0, isClosed: false };
    socket.setEncoding('latin1').on('data', (text: string) => {
      seen.answers += text.split('HTTP/1.1 200').length - 1;
    });
    socket.on('close', () => {
      seen.isClosed = true;
    });
    socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(count));
    return { seen, socket };
  };
  const hasty = send(10 * unansweredMax);
  await until('the hasty one is ended', () => hasty.seen.isClosed);
  expect(hasty.seen.answers).toBeLessThanOrEqual(unansweredMax);
  const patient = send(unansweredMax);
  await until('all are answered', () => patient.seen.answers === unansweredMax);
  patient.socket.write('GET /healthz HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n'.repeat(unansweredMax));
  await until('the next too', () => patient.seen.answers === 2 * unansweredMax);
  patient.socket.destroy();
});

test('simultaneous requests on one connection are served in turn, each after the previous response was read', async () => {
  const begun: string[] = [];
  const server = createServer(
    endingHasty(({ url = '' }, response) => {
      begun.push(url);
      response.end(Buffer.alloc(20_000_000));
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {});
  onTestFinished(() => {
    socket.destroy();
    server.close();
  });
  socket.write(['/1', '/2', '/3'].map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''));
  await until('the first is begun', () => begun.length > 0);
  expect(begun).toEqual(['/1']);
  socket.resume();
  await until('all are begun', () => begun.length === 3);
  expect(begun).toEqual(['/1', '/2', '/3']);
});

test('the OpenAPI description is generated once, however many clients request it', async () => {
  const rig = await openHttpRig();
  const write = vi.spyOn(JSON, 'stringify');
  const ask = async () => (await rig.send(productDocsEndpoints.describeInterface.path)).text();
  const [first, ...others] = [await ask(), await ask(), await ask()];
  const large = write.mock.results.filter(({ value }) => typeof value === 'string' && value.length > 100_000);
  write.mockRestore();
  expect(new Set(others)).toEqual(new Set([first]));
  expect(large).toHaveLength(1);
});
