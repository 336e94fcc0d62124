import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf, randomModules, randomQuery, segmentOf, snippetOf } from '#test/services/random-modules.ts';
import type { PageRecord } from '../types.ts';
import { rankSnippets, searchSegments } from './search-segments.ts';
import type { SegmentView } from './segment-view.ts';

const viewOf = (pages: PageRecord[], more: Partial<SegmentView> = {}): SegmentView => ({
  segment: segmentOf(pages),
  key: more.name ?? 'module',
  ...more,
});

const filler = Array.from({ length: 20 }, (_, at) =>
  pageOf(`http://filler/${at}`, `Chapter ${at}`, [`Some words about subject ${at} and how to use it in a program.`]),
);

const urlsOf = (views: SegmentView[], query: string): string[] => [
  ...new Set(searchSegments(views, query).map(({ page }) => page.url)),
];

describe('a search', () => {
  test('ranks a whole name above its parts', () => {
    const pages = [
      pageOf('http://parts', 'Tasks', ['create a task, then create another task']),
      pageOf('http://whole', 'Coroutines', ['call asyncio.create_task here']),
    ];
    expect(urlsOf([viewOf([...pages, ...filler])], 'asyncio.create_task')[0]).toBe('http://whole');
    expect(urlsOf([viewOf([...pages, ...filler])], 'create_task')[0]).toBe('http://whole');
  });

  test('ranks the passage that defines a name above those that mention it', () => {
    const view = viewOf([
      pageOf('http://mention', 'Hooks', ['skip them with --no-verify if you must, --no-verify is for experts']),
      pageOf('http://definition', 'Options', [
        snippetOf('Bypass the hooks. See --no-verify.', { identifiers: ['--no-verify'], headingPath: ['Options'] }),
      ]),
      ...filler,
    ]);
    expect(urlsOf([view], '--no-verify')[0]).toBe('http://definition');
  });

  test('finds the page that has a word of all pages as its title, if the query names the library', () => {
    const opcodes = Array.from({ length: 40 }, (_, at) =>
      pageOf(`http://opcode/${at}`, `Opcode${at}`, [`sr = 44100 ; nchnls = 2`, 'The default value of the gain is 1.']),
    );
    const view = viewOf([...opcodes, pageOf('http://nchnls', 'nchnls', ['nchnls sets the channels', 'It is 1.'])]);
    const best = (names: string[]) => searchSegments([view], 'csound nchnls default value', { names })[0]?.page.url;
    expect(best(['csound'])).toBe('http://nchnls');
    expect(best([])).not.toBe('http://nchnls');
  });

  test('counts words that no document contains as not covered', () => {
    const view = viewOf([pageOf('http://a', 'Boilers', ['descale the boiler']), ...filler]);
    const coverageOf = (query: string) => searchSegments([view], query)[0]?.parts.coverage ?? 0;
    expect(coverageOf('descale boiler')).toBe(1);
    expect(coverageOf('descale boiler saffron')).toBeLessThan(0.8);
    expect(coverageOf('boiler saffron paella')).toBeLessThan(0.4);
  });

  test('ignores numbers that no document contains', () => {
    const view = viewOf([pageOf('http://a', 'Boilers', ['the pressure limit is exceeded']), ...filler]);
    const coverageOf = (query: string) => searchSegments([view], query)[0]?.parts.coverage ?? 0;
    expect(coverageOf('limit 1.5 exceeded by 4096')).toBe(coverageOf('limit exceeded'));
  });

  test('finds two words that the documentation writes as one word', () => {
    const view = viewOf([pageOf('http://one', 'Settings', ['clockskew is 300 seconds unless it is set']), ...filler]);
    expect(urlsOf([view], 'clock skew')).toEqual(['http://one']);
  });

  test.each(['histroy expansion', 'cachign'])(
    'finds a word misspelt at its end, where its stem is decided: %s',
    (query) => {
      const pages = [
        pageOf('http://history', 'Expansion', ['history expansion brings back earlier commands']),
        pageOf('http://caching', 'Speed', ['command caching remembers where a command is']),
        ...Array.from({ length: 3 }, (_, at) =>
          pageOf(`http://${at}`, 'Expansion', ['command expansion of the tilde']),
        ),
      ];
      expect(urlsOf([viewOf([...pages, ...filler])], query)[0]).toMatch(/history|caching/);
    },
  );

  test('returns up to eight passages of a page', () => {
    const view = viewOf([
      pageOf(
        'http://a',
        'Boilers',
        Array.from({ length: 12 }, (_, at) => `descale boiler ${at}`),
      ),
    ]);
    expect(searchSegments([view], 'descale boiler')).toHaveLength(8);
  });

  test('counts a word that most titles contain as covered on every page', () => {
    const pages = Array.from({ length: 8 }, (_, at) =>
      pageOf(`http://zebra/${at}`, `Part ${at} of Zebra`, [`use of part ${at} is described here`]),
    );
    const [hit] = searchSegments([viewOf(pages)], 'zebra use described');
    expect(hit?.parts.coverage).toBeCloseTo(1);
  });

  test('finds a page by a synonym if no page contains the word itself', () => {
    const view = viewOf([pageOf('http://a', 'Sessions', ['terminate a backend']), ...filler]);
    expect(urlsOf([view], 'kill backend')[0]).toBe('http://a');
    expect(urlsOf([view], 'kill')[0]).toBe('http://a');
  });

  test.each(['relyhost', 'relayyhost', 'realyhost', 'relaxhost'])(
    'finds relayhost for %s, which no document contains',
    (word) => {
      const view = viewOf([pageOf('http://relay', 'Delivery', ['The relayhost takes all mail.']), ...filler]);
      expect(urlsOf([view], `configure ${word}`)[0]).toBe('http://relay');
      expect(urlsOf([view], 'xelayhost')).toEqual([]);
    },
  );

  test('does not correct a word that a document contains', () => {
    const view = viewOf([
      pageOf('http://cache', 'Caches', ['The cacher caches.']),
      pageOf('http://catcher', 'Games', ['The catcher stands there.']),
      ...filler,
    ]);
    expect(urlsOf([view], 'catcher')).toEqual(['http://catcher']);
  });

  test('also matches function words if the query is as short as a name', () => {
    const view = viewOf([
      pageOf('http://global', 'Names', [snippetOf('It names a block.', { headingPath: ['The global statement'] })]),
      pageOf('http://with', 'Blocks', [snippetOf('It wraps a block.', { headingPath: ['The with statement'] })]),
      ...filler,
    ]);
    expect(urlsOf([view], 'with statement')[0]).toBe('http://with');
  });

  test('skips hidden pages', () => {
    const pages = [pageOf('http://old', 'Old', ['unicorn']), pageOf('http://new', 'New', ['unicorn'])];
    expect(urlsOf([viewOf(pages, { hiddenPages: new Uint8Array([1]) })], 'unicorn')).toEqual(['http://new']);
  });

  test('ranks release notes below the page that explains the subject', () => {
    const text = 'The option strict_mode turns warnings into errors.';
    const view = viewOf([
      pageOf('http://x/releases/2.0', 'Version 2.0 release notes', [text]),
      pageOf('http://x/options', 'Options', [text]),
      ...filler,
    ]);
    expect(urlsOf([view], 'strict_mode warnings')[0]).toBe('http://x/options');
  });

  test('ranks program sources lower only if another page explains the subject', () => {
    const text = 'The option strict_mode turns warnings into errors.';
    const view = viewOf([
      pageOf('http://x/_modules/options.html', 'Source code for options', [`${text} def read_strict(self): pass`]),
      pageOf('http://x/options', 'Options', [text]),
      ...filler,
    ]);
    const [best, source] = searchSegments([view], 'strict_mode warnings');
    expect([best?.page.url, source?.page.url]).toEqual(['http://x/options', 'http://x/_modules/options.html']);
    // Passages below this share are not sent.
    expect((source?.score ?? 0) / (best?.score ?? 0)).toBeLessThan(0.42);
    expect(urlsOf([view], 'read_strict warnings')).toEqual(['http://x/_modules/options.html', 'http://x/options']);
  });

  test('finds something for function words alone', () => {
    const view = viewOf([pageOf('http://a', 'A', ['to be or not to be']), pageOf('http://b', 'B', ['nothing else'])]);
    expect(urlsOf([view], 'to be or not to be')[0]).toBe('http://a');
  });

  test.each(['', '   ', '?!', 'zzzzunknownzzzz'])('finds nothing for "%s"', (query) => {
    expect(searchSegments([viewOf(filler)], query)).toEqual([]);
    expect(searchSegments([], query)).toEqual([]);
  });

  test('of a hundred thousand characters finishes', () => {
    expect(searchSegments([viewOf(filler)], 'subject '.repeat(12_500)).length).toBeGreaterThan(0);
  });

  test('returns the requested number of hits with their sources', () => {
    const views = [viewOf(filler, { name: 'one' }), viewOf(filler, { name: 'two' })];
    const hits = searchSegments(views, 'subject program', { limit: 7 });
    expect(hits.length).toBe(7);
    for (const hit of hits) {
      expect(views).toContain(hit.view);
      expect(hit.view.segment.snippet(hit.snippetIndex)).toEqual(hit.snippet);
      expect(hit.view.segment.page(hit.pageIndex)).toEqual(hit.page);
      expect(hit.view.segment.pageOfSnippet(hit.snippetIndex)).toBe(hit.pageIndex);
    }
  });
});

describe('every search', () => {
  test('returns the same hits every time, best first', () => {
    fc.assert(
      fc.property(randomModules, randomQuery, (modules, query) => {
        const views = modules.map(({ pages }, at) => viewOf(pages, { key: `${at}` }));
        const summary = () =>
          searchSegments(views, query).map(({ view, snippetIndex, score }) => [view.key, snippetIndex, score]);
        const first = summary();
        expect(summary()).toEqual(first);
        for (const [at, [, , score]] of first.entries())
          expect(score).toBeLessThanOrEqual((first[at - 1]?.[2] as number) ?? Infinity);
      }),
      { numRuns: 60 },
    );
  });

  test('leaves no state behind for the next search on the same segments', () => {
    fc.assert(
      fc.property(randomModules, fc.array(randomQuery, { minLength: 2, maxLength: 4 }), (modules, queries) => {
        const views = modules.map(({ pages }, at) => viewOf(pages, { key: `${at}` }));
        for (const query of queries) {
          const fresh = modules.map(({ pages }, at) => viewOf(pages, { key: `${at}` }));
          const options = { candidates: 2 };
          expect(rankSnippets(views, query, options)).toEqual(rankSnippets(fresh, query, options));
        }
      }),
      { numRuns: 50 },
    );
  });

  test('scores a page the same whether its module has one segment or several', () => {
    fc.assert(
      fc.property(randomModules, randomQuery, fc.nat(12), ([module], query, cut) => {
        const pages = module?.pages ?? [];
        const name = 'same module';
        const scores = (views: SegmentView[]) =>
          new Map(
            searchSegments(views, query, { limit: 100 }).map(
              ({ page, snippet, snippetIndex, pageIndex, score, view }) => [
                `${page.url} ${snippetIndex - view.segment.page(pageIndex).firstSnippet} ${snippet.id}`,
                score,
              ],
            ),
          );
        const whole = scores([viewOf(pages.slice(0, 7), { name })]);
        const split = scores([
          viewOf(pages.slice(0, Math.min(cut, 7)), { name }),
          viewOf(pages.slice(Math.min(cut, 7), 7), { name }),
        ]);
        expect([...split.keys()].sort()).toEqual([...whole.keys()].sort());
      }),
      { numRuns: 60 },
    );
  });
});
