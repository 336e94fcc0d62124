import { expect, test } from 'vitest';
import { rangeOf } from './static-files.ts';

test.each([
  ['bytes=0-', { from: 0, to: 9 }],
  ['bytes=0-0', { from: 0, to: 0 }],
  ['bytes=2-5', { from: 2, to: 5 }],
  ['bytes=7-900', { from: 7, to: 9 }],
  ['bytes=-3', { from: 7, to: 9 }],
  ['bytes=-900', { from: 0, to: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=99999999999999999999-', 'unsatisfiable'],
])('%s of ten bytes is a valid range', (header, range) => {
  expect(rangeOf(header, 10)).toEqual(range);
});

test.each([null, '', 'bytes=-', 'bytes=5-2', 'bytes=0-1,4-5', 'lines=0-1', 'bytes=a-b', 'bytes=-1-2'])(
  '%s requests the whole',
  (header) => {
    expect(rangeOf(header, 10)).toBeUndefined();
  },
);

test('an empty file has no valid range', () => {
  expect(rangeOf('bytes=0-', 0)).toBe('unsatisfiable');
});
