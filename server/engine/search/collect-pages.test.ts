import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf, randomModules, randomQuery, segmentOf, snippetOf } from '#test/services/random-modules.ts';
import { referenceScores } from '#test/services/reference-scorer.ts';
import { analyzeQuery } from '../analysis/analyze-query.ts';
import type { PageRecord } from '../types.ts';
import { collectPages } from './collect-pages.ts';
import { conceptsOf } from './concepts.ts';
import { averageLengths, lengthNorms } from './length-norms.ts';
import type { SegmentView } from './segment-view.ts';
import { defaultWeights, type RankingWeights } from './weights.ts';

type RandomModule = typeof randomModules extends fc.Arbitrary<(infer M)[]> ? M : never;

function viewOf({ pages, hidden }: RandomModule, at: number): SegmentView {
  const hiddenPages = new Uint8Array(2);
  for (const page of hidden) hiddenPages[page >> 3] = (hiddenPages[page >> 3] ?? 0) | (1 << (page & 7));
  return { segment: segmentOf(pages), key: `module-${at}`, hiddenPages };
}

function collect(
  modules: RandomModule[],
  query: string,
  pagesMax: number,
  weights: RankingWeights,
  onlyPages?: Uint32Array,
) {
  const views = modules.map(viewOf).map((view) => (onlyPages === undefined ? view : { ...view, onlyPages }));
  const { concepts } = conceptsOf(views, analyzeQuery(query), weights);
  const found = collectPages({
    views,
    concepts,
    boosts: modules.map(({ boost }) => boost),
    norms: lengthNorms(weights, averageLengths(views)),
    weights,
    pagesMax,
    snippetsPerPage: 5,
  });
  const expected = referenceScores(
    modules.map(({ pages, hidden, boost }) => ({ pages, hiddenPages: new Set(hidden), boost })),
    concepts,
    weights,
  );
  return { found, expected };
}

const exactWeights: RankingWeights = { ...defaultWeights, reach: 1 };

describe('the best pages', () => {
  test('match the reference and its scores for every number of requested pages', () => {
    fc.assert(
      fc.property(randomModules, randomQuery, fc.integer({ min: 1, max: 12 }), (modules, query, pagesMax) => {
        const { found, expected } = collect(modules, query, pagesMax, exactWeights);
        expect(found.length).toBe(Math.min(pagesMax, expected.length));
        for (const [rank, candidate] of found.entries()) {
          expect(candidate.score).toBeCloseTo(expected[rank]?.score ?? Number.NaN, 9);
          const same = expected.find(({ view, page }) => view === candidate.view && page === candidate.page);
          expect(candidate.score).toBeCloseTo(same?.score ?? Number.NaN, 9);
          const snippets = [...(same?.snippets ?? [])].sort((a, b) => b - a).slice(0, 5);
          for (const [at, { score }] of candidate.snippets.entries())
            expect(score).toBeCloseTo(snippets[at] ?? Number.NaN, 9);
        }
      }),
      { numRuns: 150 },
    );
  });

  test('among an allowed subset of pages match the reference', () => {
    const some = fc.uniqueArray(fc.nat({ max: 9 }), { maxLength: 5 });
    fc.assert(
      fc.property(randomModules, randomQuery, some, fc.integer({ min: 1, max: 12 }), (modules, query, pages, most) => {
        const { found, expected } = collect(modules, query, most, exactWeights, Uint32Array.from(pages).sort());
        const allowed = expected.filter(({ page }) => pages.includes(page));
        expect(found.length).toBe(Math.min(most, allowed.length));
        for (const [rank, candidate] of found.entries()) {
          expect(pages).toContain(candidate.page);
          expect(candidate.score).toBeCloseTo(allowed[rank]?.score ?? Number.NaN, 9);
        }
      }),
      { numRuns: 100 },
    );
  });

  test('have the same scores as the reference for every reach', () => {
    fc.assert(
      fc.property(randomModules, randomQuery, fc.double({ min: 0.1, max: 1, noNaN: true }), (modules, query, reach) => {
        const { found, expected } = collect(modules, query, 3, { ...defaultWeights, reach });
        for (const { view, page, score } of found) {
          const same = expected.find((other) => other.view === view && other.page === page);
          expect(score).toBeCloseTo(same?.score ?? Number.NaN, 9);
        }
        expect(found.length > 0).toBe(expected.length > 0);
      }),
      { numRuns: 100 },
    );
  });

  test('use the weights given at query time', () => {
    const weights = structuredClone(exactWeights);
    weights.snippetFields.body = { weight: 0, b: 0 };
    weights.pageFields.title = { weight: 9, b: 1 };
    weights.snippetK1 = 0.3;
    weights.page = 0.2;
    weights.synonym = 0;
    fc.assert(
      fc.property(randomModules, randomQuery, (modules, query) => {
        const { found, expected } = collect(modules, query, 4, weights);
        expect(found.length).toBe(Math.min(4, expected.length));
        for (const [rank, { score }] of found.entries())
          expect(score).toBeCloseTo(expected[rank]?.score ?? Number.NaN, 9);
      }),
      { numRuns: 50 },
    );
  });
});

describe('skipping through long lists loses no page', () => {
  // Every page contains the common word; few pages, far apart, contain the rare one.
  const longModule = (host: string, every: number) => ({
    pages: Array.from({ length: 1200 }, (_, at) =>
      pageOf(`http://${host}/${at}`, at % 7 === 0 ? 'list' : 'other', [
        at % every === 5 ? 'array session list' : `list list number${at}`,
        `branch ${at % 2 === 0 ? 'list' : 'error'}`,
      ]),
    ),
    hidden: [5],
    boost: 1 as const,
  });
  const queries = ['session list', 'session error list', 'list branch number5', 'number77 number700 list'];

  test.each(queries)('in a single module: %s', (query) => {
    const { found, expected } = collect([longModule('a', 97)], query, 6, exactWeights);
    expect(found.map(({ page }) => page)).toEqual(expected.slice(0, 6).map(({ page }) => page));
  });

  test.each(queries)('in a second module that ranks below the first: %s', (query) => {
    const modules = [longModule('a', 97), longModule('b', 61)];
    const { found, expected } = collect(modules, query, 12, exactWeights);
    expect(found.length).toBe(12);
    for (const [rank, { score }] of found.entries()) expect(score).toBeCloseTo(expected[rank]?.score ?? Number.NaN, 9);
  });
});

/** A view that records the terms whose postings are read, in order. */
function notedView(pages: PageRecord[], key: string, read: string[]): SegmentView {
  const segment = segmentOf(pages);
  const postings = (term: number) => {
    read.push(segment.index.termText(term));
    return segment.index.postings(term);
  };
  return { segment: { ...segment, index: { ...segment.index, postings } }, key };
}

function collectWords(views: SegmentView[], words: string[], pagesMax: number) {
  const concepts = conceptsOf(views, analyzeQuery(words.join(' ')), exactWeights).concepts.filter(
    ({ kind }) => kind === 'word',
  );
  return collectPages({
    ...{ views, concepts, boosts: views.map(() => 1), weights: exactWeights, pagesMax, snippetsPerPage: 5 },
    norms: lengthNorms(exactWeights, averageLengths(views)),
  });
}

describe('collecting the pages of a module', () => {
  const words = ['session', 'branch', 'array', 'commit'];

  test('skips words that can no longer lift any page of the module into the best', () => {
    const all = Array.from({ length: 6 }, (_, at) =>
      pageOf(`http://all/${at}`, words.join(' '), [
        snippetOf(words.join(' '), { headingPath: [words.join(' ')], identifiers: words }),
      ]),
    );
    const one = Array.from({ length: 12 }, (_, at) =>
      pageOf(`http://one/${at}`, 'other', [`${words[at % 4]} ${'word '.repeat(60)}`]),
    );
    const [ofAll, ofOne]: [string[], string[]] = [[], []];
    const views = [notedView(all, 'all', ofAll), notedView(one, 'one', ofOne)];
    expect(collectWords(views, words, 6).map(({ view }) => view)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(ofAll).toHaveLength(words.length);
    // The floor is between the scores of one word and of two: some terms are read and later ones skipped.
    expect(ofOne.length).toBeGreaterThan(0);
    expect(ofOne.length).toBeLessThan(words.length);
  });

  test('reads the word with fewer postings in this module before one that is rarer elsewhere', () => {
    const pages = (host: string, count: number, text: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => pageOf(`http://${host}/${at}`, 'other', [text(at)]));
    const read: string[] = [];
    const views = [
      notedView(
        pages('own', 40, (at) => (at === 7 ? 'session branch' : 'session')),
        'own',
        read,
      ),
      notedView(
        pages('else', 200, (at) => (at % 2 === 0 ? 'branch' : 'array')),
        'else',
        [],
      ),
    ];
    expect(collectWords(views, ['session', 'branch'], 3)[0]).toMatchObject({ view: 0, page: 7 });
    expect(read).toEqual(['branch', 'session']);
  });
});
