import { expect, test } from 'vitest';
import type { Outcome } from './ask.ts';
import { summarize } from './score.ts';

const outcome = (id: number, tier: string, besideTokens: number): Outcome => ({
  ...{ id: `${id}`, corpus: 'c', kind: 'how-to', tier, pageRank: 1, answeredAfter: 1, tokens: id * 100, atBudget: [] },
  calls: [
    { tool: 'search', tokens: id * 60, besideTokens, ms: 1, isError: false },
    { tool: 'read', tokens: id * 40, besideTokens: besideTokens * 2, ms: 1, isError: false },
  ],
});

test('a path is told with its 95th percentile, and apart from its text what stands beside it, without written questions', () => {
  const outcomes = Array.from({ length: 20 }, (_, at) => outcome(at + 1, 'answered', 10));
  const { path, headline } = summarize([...outcomes, outcome(90, 'written', 500)]);
  expect(path).toEqual({ p95Tokens: 2_000, besideTokens: 30 });
  expect(headline.tokens).toBe(1_050);
});
