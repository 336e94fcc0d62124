import { expect, test } from 'vitest';
import { countOf, formatBytes, formatMs, formatRate, formatSeconds, formatUsd } from './quantities.ts';

test('bytes use the largest unit with a whole digit', () => {
  expect([0, 999, 1_000, 3_449_000, 2.1e9].map(formatBytes)).toEqual(['0 B', '999 B', '1 kB', '3.4 MB', '2.1 GB']);
});

test('durations have at most two units', () => {
  expect([0, 45, 60, 125, 3_600, 3_840].map(formatSeconds)).toEqual([
    '0 s',
    '45 s',
    '1 min',
    '2 min 5 s',
    '1 h',
    '1 h 4 min',
  ]);
});

test('times below a millisecond are not shown as zero', () => {
  expect([0.02, 0.44, 3.6, 1_240].map(formatMs)).toEqual(['0.1 ms', '0.4 ms', '4 ms', '1.2 s']);
});

test('a count of one is singular', () => {
  expect([countOf(1, 'page'), countOf(12_345, 'page'), formatRate(12.44), formatRate(124.4)]).toEqual([
    '1 page',
    '12,345 pages',
    '12.4',
    '124',
  ]);
});

test('dollars have cents and a minus sign', () => {
  expect([0, 900, 123_456, -180].map(formatUsd)).toEqual(['$0.00', '$9.00', '$1,234.56', '−$1.80']);
});
