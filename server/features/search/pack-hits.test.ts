import { expect, test } from 'vitest';
import { countTokens } from '#server/ingest/split/tokens.ts';
import type { Candidate } from './candidates.ts';
import { type PackedHit, packHits } from './pack-hits.ts';
import { queryTerms } from './query-terms.ts';

const sentences = (page: number): string =>
  Array.from(
    { length: 200 },
    (_, line) => `On page ${page} the zebra number ${line * 7 + page} guards registry ${line}.`,
  ).join('\n');

const candidateOf = (page: number): Candidate =>
  ({
    pageKey: `${page}`,
    pageUrl: `https://docs.example/${page}`,
    title: `Page ${page}`,
    snippet: { id: `${page}`, anchor: '', headingPath: [], text: sentences(page) },
    score: 10 - page,
  }) as unknown as Candidate;

test('a page gets less room for its passage than the page before it', () => {
  const tokensOf = (hits: PackedHit[]) =>
    hits.reduce((sum, { candidate, text }) => sum + countTokens(candidate.pageUrl) + 2 + countTokens(text), 0);
  const hits = packHits({
    candidates: [1, 2, 3, 4, 5].map(candidateOf),
    sentBefore: [],
    rests: new Map(),
    budget: 2_000,
    hitsMax: 20,
    terms: queryTerms(['zebra registry']),
    tokensOf,
  });
  const shown = hits.map(({ tokens }) => tokens);
  expect(shown).toHaveLength(5);
  expect(shown[4]).toBeLessThan((shown[0] as number) * 0.75);
  expect(shown.toSorted((a, b) => b - a)).toEqual(shown);
  expect(tokensOf(hits)).toBeLessThanOrEqual(2_000);
});

test('a passage that begins with the title of its page has its tokens for what follows', () => {
  const plain = candidateOf(1);
  const titled = { ...plain, snippet: { ...plain.snippet, text: `# Page 1\n\n${plain.snippet.text}` } };
  const pack = (candidate: Candidate) =>
    packHits({
      candidates: [candidate],
      sentBefore: [],
      rests: new Map(),
      budget: 300,
      hitsMax: 20,
      terms: queryTerms(['registry']),
      tokensOf: (hits) => hits.reduce((sum, { text }) => sum + 10 + countTokens(text), 0),
    })[0];
  expect(pack(titled)?.text).not.toContain('# Page 1');
  expect(pack(titled)?.candidate.snippet.id).toBe('1');
  expect(pack(titled)?.text).toBe(pack(plain)?.text);
});
