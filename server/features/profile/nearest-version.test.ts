import { expect, test } from 'vitest';
import { fitOf, nearestFirst } from './nearest-version.ts';

test.each([
  ['4.2.1', '4.2.1', 'exact'],
  ['v1.2.0', '1.2.0', 'exact'],
  ['2.0.0', 'v2.0.0+incompatible', 'exact'],
  ['4.2', '4.2.1', 'same-minor'],
  ['4.2.9', '4.2.1', 'same-minor'],
  ['4', '4.2.1', 'same-major'],
  ['4.1', '4.2.1', 'same-major'],
  ['5.0', '4.2.1', 'other'],
  ['stable', '4.2.1', 'unversioned'],
  [null, '4.2.1', 'unversioned'],
])('%s compared with the pin %s is %s', (known, pinned, fit) => {
  expect(fitOf(known, pinned)).toBe(fit);
});

test.each([
  ['4.2.1', ['5.0', '4.2', '4.2.1'], '4.2.1'],
  ['4.2.1', ['5.0', '4.2', '4.1.9'], '4.2'],
  ['4.2.5', ['4.2.7', '4.2.3', '4.2.0'], '4.2.3'],
  ['4.2.1', ['4.5', '4.0', '4.1', '5.0'], '4.1'],
  ['4.2.1', ['4.5', '4.9', '3.0'], '4.5'],
  ['4.2.1', ['5.0', null, '3.2'], null],
  ['4.2.1', ['3.2', '5.0'], '5.0'],
])('the version nearest to the pin %s of %j is %s', (pinned, known, nearest) => {
  expect(
    nearestFirst(
      known.map((version) => ({ version })),
      pinned,
    )[0]?.version,
  ).toBe(nearest);
});
