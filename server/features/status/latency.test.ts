import fc from 'fast-check';
import { expect, test } from 'vitest';
import { AppError } from '#server/app-error.ts';
import { announceAnswers } from '#server/features/search/announce-answers.ts';
import type { Search } from '#server/features/search/index.ts';
import { percentileOf } from './get-status-latency.ts';
import { bucketOf, createLatencyCounts, latencyBounds } from './latency-counts.ts';

test('a percentile computed from buckets lies in the bucket of the true value', () => {
  const durations = fc.array(fc.double({ min: 0.001, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(durations, fc.constantFrom(0.5, 0.95), (tookMs, share) => {
      const buckets = new Map<number, number>();
      for (const took of tookMs) buckets.set(bucketOf(took), (buckets.get(bucketOf(took)) ?? 0) + 1);
      const sorted = tookMs.toSorted((a, b) => a - b);
      const bound = bucketOf(sorted[Math.ceil(share * sorted.length) - 1] ?? 0);
      const below = latencyBounds[latencyBounds.findIndex((known) => known === bound) - 1] ?? 0;
      const read = percentileOf(buckets, share) ?? Number.NaN;
      expect(read).toBeGreaterThanOrEqual(below);
      expect(read).toBeLessThanOrEqual(bound);
    }),
  );
  expect(percentileOf(new Map(), 0.5)).toBeNull();
});

test('completed searches are counted, internal failures as errors, mistakes of the caller not at all', async () => {
  const counts = createLatencyCounts(() => 90_000);
  const outcomes: (() => Promise<never>)[] = [
    () => Promise.reject(new AppError('query-empty')),
    () => Promise.reject(new Error('broken')),
    () => Promise.reject(new AppError('index-damaged')),
  ];
  // Only the measured methods are called.
  const search = { searchDocs: () => outcomes.shift()?.() ?? Promise.resolve({}) } as unknown as Search;
  const measured = announceAnswers(search, async ({ kind, tookMs, isError }) => counts.record(kind, tookMs, isError));
  const ask = () => measured.searchDocs({} as never, { query: 'x' }, undefined);
  for (let call = 0; call < 3; call += 1) await expect(ask()).rejects.toThrow();
  await ask();
  const taken = counts.take();
  expect(new Set(taken.map(({ at, kind }) => `${at} ${kind}`))).toEqual(new Set(['60000 search']));
  expect(taken.reduce((sum, { calls }) => sum + calls, 0)).toBe(3);
  expect(taken.reduce((sum, { errors }) => sum + errors, 0)).toBe(2);
  expect(counts.take()).toEqual([]);
});

test('counts that are not taken expire', () => {
  let now = 0;
  const counts = createLatencyCounts(() => now);
  counts.record('search', 5, false);
  const early = counts.take();
  now = 3 * 60 * 60_000;
  counts.giveBack(early);
  expect(counts.take()).toEqual([]);
});
