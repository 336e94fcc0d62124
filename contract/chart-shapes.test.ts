import { expect, test } from 'vitest';
import { dayPaths, linePath, niceMaximum } from './chart-shapes.ts';

test('a line has a gap at a missing value, and a single value is a point', () => {
  const size = { stepWidth: 10, height: 100, top: 100 };
  expect(linePath([10, 20, null, 30, null], size)).toEqual({ line: 'M5 90L15 80', points: 'M35 70h0.01' });
  expect(linePath([null, null], size)).toEqual({ line: '', points: '' });
});

test('a day is filled in proportion to its measured time, with a visible minimum', () => {
  const day = { at: 0, state: 'operational' as const, checks: 4, failed: 0, impaired: 0, measured: 0.5 };
  const days = [day, { ...day, checks: 0 }, { ...day, state: 'down' as const, measured: 0.001 }];
  expect(dayPaths(days)).toEqual({
    ground: 'M0.5 0h3v32h-3zM4.5 0h3v32h-3zM8.5 0h3v32h-3z',
    filled: [
      ['operational', 'M0.5 16h3v16h-3z'],
      ['down', 'M8.5 27.2h3v4.8h-3z'],
    ],
  });
});

test.each([
  [0, 2],
  [2, 2],
  [3, 4],
  [5, 10],
  [11, 20],
  [41, 100],
  [4_001, 10_000],
])('the axis for a maximum of %d ends at %d', (largest, end) => {
  expect(niceMaximum(largest)).toBe(end);
});
