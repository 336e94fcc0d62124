import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { Context } from '#server/context.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';
import { as, contextOf } from '#test/mcp/context-of.ts';
import { memoryShelf } from '#test/mcp/memory-shelf.ts';
import { sampleModules } from '#test/mcp/sample-docs.ts';
import { createFairSearch, FairTurns } from './fair-search.ts';

/** Waits for the event loop, in which requests arrive between computations. */
const nextRound = () => new Promise((resolve) => setImmediate(resolve));

test('a caller with one search waits for at most one of each other caller, however many those have queued', async () => {
  const turns = new FairTurns(1);
  const done: string[] = [];
  const ask = (caller: string) =>
    turns.run(caller, async () => {
      await new Promise((resolve) => setImmediate(resolve));
      done.push(caller);
    });
  await Promise.all([...Array.from({ length: 20 }, () => ask('flood')), ask('quiet'), ask('other'), ask('quiet')]);
  expect(done.slice(0, 5)).toEqual(['flood', 'flood', 'quiet', 'other', 'flood']);
  expect(done).toHaveLength(23);
  expect(done.indexOf('quiet', 3)).toBe(5);
});

test('a failed call frees its slot, and the limit of concurrent calls holds', async () => {
  const turns = new FairTurns(2);
  let [running, most] = [0, 0];
  const outcomes = await Promise.allSettled(
    Array.from({ length: 12 }, (_, call) =>
      turns.run(`${call % 3}`, async () => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        if (call % 2 === 0) throw new Error('no');
      }),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(6);
  expect([running, most]).toEqual([0, 2]);
});

test('a caller uses one slot while others wait, and all slots when alone', async () => {
  let now = 0;
  const turns = new FairTurns(4, () => now);
  const running: string[] = [];
  const ends: (() => void)[] = [];
  const ask = (caller: string) =>
    void turns.run(caller, () => {
      running.push(caller);
      return new Promise<void>((resolve) => void ends.push(resolve));
    });
  const settle = async () => {
    for (let round = 0; round < 5; round += 1) await nextRound();
  };
  for (let call = 0; call < 3; call += 1) ask('flood');
  await settle();
  expect(running).toEqual(['flood', 'flood', 'flood']);
  ask('quiet');
  for (let call = 0; call < 3; call += 1) ask('flood');
  await settle();
  expect(running).toEqual(['flood', 'flood', 'flood', 'quiet']);
  // Slots of the flood become free one by one; it gets none until its last one becomes free.
  ends[0]?.();
  ends[1]?.();
  await settle();
  expect(running).toHaveLength(4);
  ends[2]?.();
  await settle();
  expect(running.slice(4)).toEqual(['flood']);
  now += 10_000;
  ends[3]?.();
  ask('flood');
  await settle();
  expect(running.slice(5)).toEqual(['flood', 'flood', 'flood']);
});

test('a caller that arrives during continuous work of another is next', async () => {
  const turns = new FairTurns(4);
  const begun: string[] = [];
  const ask = (caller: string) =>
    turns.run(caller, async () => {
      begun.push(caller);
    });
  await Promise.all([ask('quiet'), ...Array.from({ length: 6 }, () => ask('flood'))]);
  begun.length = 0;
  const flood = Array.from({ length: 8 }, () => ask('flood'));
  await nextRound();
  expect(begun.length).toBeLessThan(flood.length);
  const before = begun.length;
  const quiet = ask('quiet');
  await Promise.all([...flood, quiet]);
  expect(begun.slice(before).indexOf('quiet')).toBeLessThanOrEqual(1);
  expect(begun).toHaveLength(9);
});

test('a check for questions to ask the user also waits for its turn', async () => {
  const ends: (() => void)[] = [];
  const shelf = {
    ...memoryShelf(sampleModules),
    readableModules: () => new Promise<never>((_, reject) => void ends.push(() => reject(new Error('ended')))),
  };
  const fair = createFairSearch({ shelf });
  const ctx = await contextOf();
  const input = { query: 'x' };
  const asked = Array.from({ length: 3 }, () => [
    fair.which.ask(ctx, input, { clientName: 'editor' }),
    fair.searchDocs(ctx, input, undefined),
  ]).flat();
  const settled = Promise.allSettled(asked);
  while (ends.length < 4) await nextRound();
  for (let round = 0; round < 20; round += 1) await nextRound();
  expect(ends).toHaveLength(4);
  for (let ended = 0; ended < asked.length; ) {
    await nextRound();
    ended += ends.length;
    for (const end of ends.splice(0)) end();
  }
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
});

test('reads of slow pages leave turns for searches', async () => {
  const waiting: ServerResponse[] = [];
  const site = createServer((_, response) => void waiting.push(response)).listen(0, '127.0.0.1');
  await once(site, 'listening');
  const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
  const outbound = createOutbound({ allowHosts: [host], userAgent: 'test' });
  const parser = { parse: async () => ({ title: 'Slow', snippets: [] }) };
  const fair = createFairSearch({ shelf: memoryShelf(sampleModules), outbound, parser });
  const ctx = await contextOf();
  const reads = Array.from({ length: 6 }, (_, page) => fair.readUrl(ctx, { url: `http://${host}/${page}` }, undefined));
  const settled = Promise.allSettled(reads);
  await expect.poll(() => waiting.length).toBe(4);
  expect((await fair.searchDocs(ctx, { query: 'create_task' }, undefined)).results).not.toEqual([]);
  for (let answered = 0; answered < reads.length; await nextRound()) {
    answered += waiting.length;
    for (const response of waiting.splice(0)) response.end('text');
  }
  const reasons = (await settled).map((one) => (one.status === 'rejected' ? `${one.reason}` : 'read'));
  expect(reasons.every((reason) => reason.includes('there is no text on it'))).toBe(true);
  site.close();
  await outbound.close();
});

test('a caller that arrives during many reads of another is next', async () => {
  const begun = new Set<Context>();
  const shelf = {
    ...memoryShelf(sampleModules),
    findPage: async (ctx: Context) => {
      begun.add(ctx);
      return undefined;
    },
  };
  const fair = createFairSearch({ shelf });
  const ctx = await contextOf();
  const read = (of: Context) => fair.readUrl(of, { url: 'https://docs.example/' }, undefined).catch(() => undefined);
  const flood = Array.from({ length: 8 }, () => read({ ...ctx }));
  while (begun.size === 0) await nextRound();
  const before = begun.size;
  const quiet = as(ctx, 'quiet');
  await Promise.all([...flood, read(quiet)]);
  expect([...begun].indexOf(quiet) - before).toBeLessThanOrEqual(1);
  expect(begun.size).toBe(9);
});
