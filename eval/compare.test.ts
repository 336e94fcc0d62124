import { expect, test } from 'vitest';
import { compare, type KeptOutcome, type Verdict } from './compare.ts';
import { measures } from './score.ts';

const row = (id: number, hit: boolean, tokens = 1_000): KeptOutcome => {
  const known: Record<string, number> = { 'page@5': Number(hit), 'tokens of a path': tokens };
  return { id: String(id), form: 'agent', values: Object.keys(measures).map((name) => known[name] ?? 0) };
};
const rows = (count: number, isHit: (id: number) => boolean, tokens?: (id: number) => number): KeptOutcome[] =>
  Array.from({ length: count }, (_, id) => row(id, isHit(id), tokens?.(id)));
const verdictOf = (before: KeptOutcome[], now: KeptOutcome[], measure: string): Verdict | undefined =>
  compare(before, now).find((verdict) => verdict.measure === measure);

test('two equal runs show no difference', () => {
  const run = rows(80, (id) => id % 4 !== 0);
  expect(new Set(compare(run, run).map(({ verdict }) => verdict))).toEqual(new Set(['no difference']));
});

test('two lost questions are noise, eight lost are worse, eight won are better', () => {
  const all = rows(80, () => true);
  const without = (lost: number) => rows(80, (id) => id >= lost);
  expect(verdictOf(all, without(2), 'page@5')?.verdict).toBe('no difference');
  expect(verdictOf(all, without(8), 'page@5')).toMatchObject({ verdict: 'worse', won: 0, lost: 8 });
  expect(verdictOf(without(8), all, 'page@5')).toMatchObject({ verdict: 'better', won: 8, lost: 0 });
});

test('equally many won and lost questions show no difference', () => {
  const before = rows(80, (id) => id < 40);
  const now = rows(80, (id) => id >= 20 && id < 60);
  expect(verdictOf(before, now, 'page@5')).toMatchObject({ verdict: 'no difference', won: 20, lost: 20 });
});

test('a run with more tokens is worse', () => {
  const before = rows(80, () => true);
  const now = rows(
    80,
    () => true,
    (id) => 1_050 + (id % 10),
  );
  expect(verdictOf(before, now, 'tokens of a path')?.verdict).toBe('worse');
  expect(verdictOf(now, before, 'tokens of a path')?.verdict).toBe('better');
});

test('runs with different questions cannot be compared', () => {
  expect(() =>
    compare(
      rows(80, () => true),
      [row(900, true)],
    ),
  ).toThrow('--save-baseline');
});
