import { expect, test } from 'vitest';
import { niceMaximum } from './bar-chart.tsx';

test.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [5, 10],
  [11, 20],
  [41, 100],
  [4_001, 10_000],
])('an axis for %d ends at %d', (largest, end) => {
  expect(niceMaximum(largest)).toBe(end);
});
