import { expect, test } from 'vitest';
import * as limits from '#contract/limits.ts';
import { boundedBody, largeMax, largeOfOneMax, largeOfUnknownMax } from './bounded-body.ts';
import { withRequestRecord } from './request-record.ts';

const bytesMax = 3 * limits.requestBytesMax;

/** A body whose first bytes have arrived; `end` sends the rest, `leave` disconnects the sender. */
function arriving(sender: { userId?: string; address?: string }, bytes: number, length?: number) {
  let controller: ReadableStreamDefaultController<Uint8Array>;
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given;
      if (bytes > 0) given.enqueue(new Uint8Array(bytes));
    },
  });
  const headers = length === undefined ? {} : { 'content-length': String(length) };
  const request = new Request('http://x.example/', { method: 'POST', body, duplex: 'half', headers } as RequestInit);
  let outcome: unknown = 'arriving';
  const read = withRequestRecord({ requestId: '', ...sender }, () => boundedBody(request, bytesMax)).then(
    (all) => (outcome = all.byteLength),
    (error: { code?: string }) => (outcome = error.code ?? 'gone'),
  );
  return {
    outcome: async () => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return outcome;
    },
    end: () => (controller.close(), read),
    leave: () => (controller.error(new Error('the sender is gone')), read),
  };
}

const large = limits.requestBytesMax + 1;

test('a sender can upload few large bodies concurrently, declared or not; small ones are unlimited', async () => {
  const own = { userId: 'a' };
  const first = Array.from({ length: largeOfOneMax }, (_, at) =>
    arriving(own, at === 0 ? 0 : large, at === 0 ? large : undefined),
  );
  for (const one of first) expect(await one.outcome()).toBe('arriving');
  expect(await arriving(own, large).outcome()).toBe('rate-limited');
  expect(await arriving(own, 0, large).outcome()).toBe('rate-limited');
  const small = arriving(own, limits.requestBytesMax);
  expect(await small.end()).toBe(limits.requestBytesMax);
  const other = arriving({ userId: 'b', address: '192.0.2.1' }, large);
  expect(await other.outcome()).toBe('arriving');
  const unknown = Array.from({ length: largeOfOneMax + 1 }, (_, at) => arriving({ address: `2001:db8::${at}` }, large));
  expect(await Promise.all(unknown.map((one) => one.outcome()))).toEqual(['arriving', 'arriving', 'rate-limited']);

  expect(await first[0]?.leave()).toBe('gone');
  const next = arriving(own, large);
  expect(await next.outcome()).toBe('arriving');
  expect(await next.end()).toBe(large);
  expect(await arriving(own, bytesMax + 1).outcome()).toBe('body-too-large');
  const last = arriving(own, large);
  expect(await last.outcome()).toBe('arriving');
  for (const one of [...first.slice(1), other, last, ...unknown]) await one.leave();
});

test('the total of large bodies from many senders is limited too', async () => {
  const all = Array.from({ length: largeMax }, (_, at) => arriving({ userId: `person ${at}` }, large));
  for (const one of all) expect(await one.outcome()).toBe('arriving');
  expect(await arriving({ userId: 'late' }, large).outcome()).toBe('too-busy');
  for (const one of all) expect(await one.end()).toBe(large);
  const late = arriving({ userId: 'late' }, large);
  expect(await late.outcome()).toBe('arriving');
  await late.end();
});

test('unknown senders in many networks leave capacity for known ones', async () => {
  const strangers = Array.from({ length: largeOfUnknownMax + 1 }, (_, at) =>
    arriving({ address: `2001:db8:0:${at}::1` }, 0, large),
  );
  const outcomes = await Promise.all(strangers.map((one) => one.outcome()));
  expect(outcomes).toEqual([...Array.from({ length: largeOfUnknownMax }, () => 'arriving'), 'too-busy']);
  const known = Array.from({ length: largeMax - largeOfUnknownMax }, (_, at) => arriving({ userId: `${at}` }, large));
  for (const one of known) expect(await one.outcome()).toBe('arriving');
  for (const one of [...strangers, ...known]) await one.leave();
});
