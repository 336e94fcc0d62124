import { expect, test } from 'vitest';
import { type BaselineRow, chanceOfAtLeast, compare } from './compare.ts';

const row = (id: number, hit: boolean, tokens = 1_000): BaselineRow => ({
  id: String(id),
  tier: 'answered',
  pageAt5: hit,
  answer: hit,
  tokens,
});
const rows = (count: number, isHit: (id: number) => boolean, tokens?: number): BaselineRow[] =>
  Array.from({ length: count }, (_, id) => row(id, isHit(id), tokens));

test('the same outcome twice is no drop', () => {
  const run = rows(80, (id) => id % 4 !== 0);
  expect(compare(run, run).map(({ isDrop }) => isDrop)).toEqual([false, false, false]);
});

test('two questions lost are noise, eight are a drop', () => {
  const before = rows(80, () => true);
  expect(
    compare(
      before,
      rows(80, (id) => id >= 2),
    )[0]?.isDrop,
  ).toBe(false);
  expect(
    compare(
      before,
      rows(80, (id) => id >= 8),
    )[0]?.isDrop,
  ).toBe(true);
});

test('as many gained as lost are no drop', () => {
  const before = rows(80, (id) => id < 40);
  expect(
    compare(
      before,
      rows(80, (id) => id >= 20 && id < 60),
    )[0]?.isDrop,
  ).toBe(false);
});

test('a tenth more tokens on every question is a drop, a hundredth is not', () => {
  const before = rows(80, () => true);
  expect(
    compare(
      before,
      rows(80, () => true, 1_100),
    )[2]?.isDrop,
  ).toBe(true);
  expect(
    compare(
      before,
      rows(80, () => true, 1_010),
    )[2]?.isDrop,
  ).toBe(false);
});

test('other questions than those of the baseline are refused', () => {
  expect(() =>
    compare(
      rows(80, () => true),
      [row(900, true)],
    ),
  ).toThrow('--save-baseline');
});

test('the chance of heads is that of a fair coin', () => {
  expect(chanceOfAtLeast(5, 5)).toBeCloseTo(1 / 32);
  expect(chanceOfAtLeast(1, 2)).toBeCloseTo(0.75);
  expect(chanceOfAtLeast(0, 0)).toBe(1);
});
