import { expect, test } from 'vitest';
import { goldRank, type Outcome } from './ask.ts';
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

test('a page is known by its corpus and path on a site and in a folder', () => {
  const question = { corpus: 'docs', gold: ['guide/a b.md', 'start/'] };
  expect(goldRank(question, ['folder://docs/x.md', 'folder://docs/guide/a%20b.md#c'])).toBe(2);
  expect(goldRank(question, ['http://127.0.0.1:9/docs/start/index.html'])).toBe(1);
  expect(goldRank(question, ['folder://other/guide/a%20b.md'])).toBeNull();
});
