import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { randomModules, randomQuery, segmentOf, snippetOf } from '#test/services/random-modules.ts';
import { scorePageSnippets, scoreSnippets } from './score-snippets.ts';

const best = (scores: number[]): number => scores.indexOf(Math.max(...scores));

describe('the snippets of a page', () => {
  const snippets = [
    snippetOf('Sessions keep state between requests.'),
    snippetOf('A cookie can be made secure.', { headingPath: ['Cookies'] }),
    snippetOf('Close sessions when done. Sessions time out after an hour.'),
  ];

  test('are scored by the words that distinguish them', () => {
    expect(best(scoreSnippets('Sessions', snippets, ['how long until sessions time out']))).toBe(2);
    expect(best(scoreSnippets('Sessions', snippets, ['secure cookie']))).toBe(1);
  });

  test('get the best score of several questions', () => {
    const scores = scoreSnippets('Sessions', snippets, ['secure cookie', 'time out']);
    expect(scores[1]).toBeGreaterThan(scores[0] ?? 0);
    expect(scores[2]).toBeGreaterThan(scores[0] ?? 0);
  });

  test('score zero for an unrelated question or no question', () => {
    expect(scoreSnippets('Sessions', snippets, ['zebra'])).toEqual([0, 0, 0]);
    expect(scoreSnippets('Sessions', snippets, [])).toEqual([0, 0, 0]);
    expect(scoreSnippets('Sessions', [], ['zebra'])).toEqual([]);
  });

  test('score the same in a segment as from their texts', () => {
    fc.assert(
      fc.property(randomModules, fc.array(randomQuery, { maxLength: 3 }), ([module], queries) => {
        const pages = module?.pages ?? [];
        const segment = segmentOf(pages);
        for (const [at, { title, snippets: own }] of pages.entries()) {
          expect(scorePageSnippets(segment, at, queries)).toEqual(scoreSnippets(title, own, queries));
          const part = { from: Math.floor(own.length / 2), to: own.length };
          const ofPart = scoreSnippets(title, own.slice(part.from), queries);
          expect(scorePageSnippets(segment, at, queries, part)).toEqual(ofPart);
        }
      }),
      { numRuns: 60 },
    );
  });
});
