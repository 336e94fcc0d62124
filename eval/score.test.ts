import { expect, test } from 'vitest';
import { goldRank, type Outcome } from './ask.ts';
import { estimate, summarize } from './score.ts';

const outcome = (id: number, tier: string, besideTokens: number, form: Outcome['form'] = 'cold'): Outcome => ({
  ...{ id: `${id}`, form, corpus: 'c', kind: 'how-to', tier, fold: 0, pageRank: 1, answeredAfter: 1 },
  ...{ tokens: id * 100, results: 4, foreignResults: 1 },
  atBudget: [{ budget: 600, hasAnswer: id % 2 === 0, tokens: 500 }],
  calls: [
    { tool: 'search', tokens: id * 60, besideTokens, ms: 1, isError: false },
    { tool: 'read', tokens: id * 40, besideTokens: besideTokens * 2, ms: 1, isError: false },
  ],
});

test('each form is summed separately, without questions worded close to the documentation', () => {
  const cold = Array.from({ length: 20 }, (_, at) => outcome(at + 1, 'answered', 10));
  const { forms, besideTokens } = summarize([
    ...cold,
    outcome(90, 'written', 500),
    outcome(2, 'answered', 10, 'agent'),
  ]);
  expect(forms.cold).toMatchObject({ count: 20, p95Tokens: 2_000 });
  expect(forms.cold?.figures['tokens of a path']?.mean).toBe(1_050);
  expect(forms.cold?.tokenSteps.slice(0, 6)).toEqual([4, 5, 5, 5, 1, 0]);
  expect(forms.cold?.figures['in search at 600']?.mean).toBe(0.5);
  expect(forms.cold?.figures['from other libraries']?.mean).toBe(0.25);
  expect(forms.agent?.count).toBe(1);
  expect(besideTokens).toBe(30);
});

test('the interval of a mean contains it, is deterministic and narrows with more values', () => {
  const values = (count: number) => Array.from({ length: count }, (_, at) => Number(at % 4 === 0));
  const few = estimate(values(40));
  expect(few).toEqual(estimate(values(40)));
  expect(few.low).toBeLessThan(few.mean);
  expect(few.high).toBeGreaterThan(few.mean);
  const many = estimate(values(4_000));
  expect(many.high - many.low).toBeLessThan((few.high - few.low) / 5);
  // For a proportion p of n values, the interval is about 1.96 standard errors to each side.
  expect(many.high - many.mean).toBeCloseTo(1.96 * Math.sqrt((0.25 * 0.75) / 4_000), 2);
});

test('a page is matched by corpus and path, for sites and for folders', () => {
  const question = { corpus: 'docs', gold: ['guide/a b.md', 'start/'] };
  expect(goldRank(question, ['folder://docs/x.md', 'folder://docs/guide/a%20b.md#c'])).toBe(2);
  expect(goldRank(question, ['http://127.0.0.1:9/docs/start/index.html'])).toBe(1);
  expect(goldRank(question, ['folder://other/guide/a%20b.md'])).toBeNull();
});
