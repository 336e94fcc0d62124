import { expect, test } from 'vitest';
import { coverageOf } from './coverage-bar.tsx';

test('every page found belongs to one part, and the parts fill the bar', () => {
  const parts = coverageOf({ found: 1_000, fetched: 900, unchanged: 60, skipped: 30, failed: 1 });
  expect(parts.map(({ count }) => count)).toEqual([900, 60, 30, 1, 9]);
  expect(parts.reduce((sum, { width }) => sum + width, 0)).toBeCloseTo(100);
});

test('one failure among thousands is still visible', () => {
  const failed = coverageOf({ found: 5_000, fetched: 4_999, unchanged: 0, skipped: 0, failed: 1 })[3];
  expect(failed?.width).toBeGreaterThan(1);
});

test('parts without pages have no width, and a run without pages has no bar', () => {
  expect(coverageOf({ found: 4, fetched: 4, unchanged: 0, skipped: 0, failed: 0 }).map(({ width }) => width)).toEqual([
    100, 0, 0, 0, 0,
  ]);
  expect(coverageOf({ found: 0, fetched: 0, unchanged: 0, skipped: 0, failed: 0 })).toEqual([]);
});
