import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf, randomModules, segmentOf } from '#test/services/random-modules.ts';
import { termKey } from '../segment/hash-table.ts';
import type { SegmentView } from './segment-view.ts';
import { TermLookup } from './term-lookup.ts';

const terms = ['delete', 'list', 'task', 'asyncio', 'asyncio.create_task', '--no-verify', 'c++', '404', 'nowhere', ''];

function expectAlike(views: SegmentView[], term: string, places?: number[]): void {
  const { ids, snippets, pageInformation } = new TermLookup(views, places).find(term);
  expect(ids).toHaveLength(views.length);
  let pages = 0;
  for (const [at, { segment }] of views.entries()) {
    const id = places?.includes(at) === false ? undefined : segment.index.findTerm(termKey(term));
    expect(ids[at]).toBe(id);
    if (id !== undefined) pages += segment.index.pageFrequency(id);
    expect(snippets[at]).toBe(id === undefined ? 0 : segment.index.snippetFrequency(id));
  }
  expect(pageInformation > 0).toBe(pages > 0);
}

test('the lookup finds in each view the terms that a lookup in its segment alone finds', () => {
  fc.assert(
    fc.property(randomModules, fc.func(fc.boolean()), (modules, isWanted) => {
      const views = modules.map(({ pages }, at) => ({ segment: segmentOf(pages), key: `module-${at}` }));
      const places = views.map((_, at) => at).filter((at) => isWanted(at));
      for (const term of terms) {
        expectAlike(views, term);
        expectAlike(views, term, places);
      }
    }),
    { numRuns: 60 },
  );
});

test('the lookup finds every term of a large table and of many tables at once', () => {
  // Numbers have similar hashes, so some end up many slots after their preferred one.
  const numbers = Array.from({ length: 700 }, (_, at) => `${at * 7}`);
  const viewOf = (own: string[], key: string) => ({
    segment: segmentOf([pageOf(key, 'Numbers', [own.join(' ')])]),
    key,
  });
  const views = [
    ...Array.from({ length: 5 }, (_, at) => viewOf([numbers[at] as string], `one-${at}`)),
    viewOf(numbers, 'all'),
    viewOf(numbers.slice(350), 'half'),
  ];
  for (const number of numbers) expectAlike(views, number);
  for (const number of numbers) expectAlike(views, `${number}0001`);
});
