import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { startLoopbackServer } from '#test/services/loopback-server.ts';
import { createOutbound } from './index.ts';

const piece = Buffer.alloc(200_000, 'lamp');

/** Requests a body of this many pieces and collects them as they arrive. */
async function take(pieces: number, bytesMax: number) {
  const server = await startLoopbackServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/pdf' });
    void (async () => {
      for (let sent = 0; sent < pieces && !response.destroyed; sent += 1) {
        response.write(piece);
        await setImmediate();
      }
      response.end();
    })();
  });
  const outbound = createOutbound({ allowHosts: [`127.0.0.1:${server.port}`], userAgent: 'x' });
  onTestFinished(async () => {
    await outbound.close();
    await server.close();
  });
  const taken: Buffer[] = [];
  let underWay = 0;
  const sink = {
    bytesMax,
    async take(chunk: Uint8Array) {
      underWay += 1;
      expect(underWay).toBe(1);
      const copy = Buffer.from(chunk);
      await setImmediate();
      taken.push(copy);
      underWay -= 1;
    },
  };
  const outcome = await outbound
    .request(`${server.origin}/`, { onHead: () => sink })
    .then(({ body, isComplete }) => ({ kept: body.byteLength, isComplete }))
    .catch(({ code }: { code: string }) => code);
  return { outcome, taken: Buffer.concat(taken) };
}

test('a sink receives a body piece by piece in order, and nothing is kept', async () => {
  const { outcome, taken } = await take(20, 10_000_000);
  expect(outcome).toEqual({ kept: 0, isComplete: true });
  expect(taken.equals(Buffer.concat(Array.from({ length: 20 }, () => piece)))).toBe(true);
});

test('a body larger than its sink accepts is aborted', async () => {
  const { outcome, taken } = await take(40, 2_000_000);
  expect(outcome).toBe('too-large');
  expect(taken.byteLength).toBeLessThanOrEqual(2_000_000);
});
