import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pageOf, segmentOf, snippetOf, sourceOf } from '#test/services/random-modules.ts';
import type { PageRecord, Snippet } from '../types.ts';
import { SegmentBuilder } from './builder.ts';
import { SegmentFormatError } from './format.ts';
import { openSegment } from './segment.ts';
import { snippetKeyOf } from './snippet-record.ts';

const anyText = fc.string({ unit: 'grapheme', maxLength: 60 });

const anyPath = fc.array(anyText, { maxLength: 3 });
const anySection = fc.record(
  {
    anchor: anyText,
    headingPath: anyPath,
    tokens: fc.nat(300),
    isEntry: fc.constant(true as const),
    aliases: fc.array(anyText, { maxLength: 2 }),
  },
  { requiredKeys: ['anchor', 'headingPath', 'tokens'] },
);
const anySnippet: fc.Arbitrary<Snippet> = fc.record(
  {
    id: anyText,
    anchor: anyText,
    headingPath: anyPath,
    kind: fc.constantFrom('prose' as const, 'code' as const, 'api' as const, 'table' as const),
    identifiers: fc.array(anyText, { maxLength: 3 }),
    text: anyText,
    tokens: fc.nat(1200),
    sections: fc.array(anySection, { maxLength: 3 }),
    places: fc.array(anyText, { maxLength: 3 }),
  },
  { requiredKeys: ['id', 'anchor', 'headingPath', 'kind', 'identifiers', 'text', 'tokens'] },
);

const anyPages: fc.Arbitrary<PageRecord[]> = fc.uniqueArray(
  fc.record({
    url: anyText,
    title: anyText,
    fetchedAt: fc.maxSafeNat(),
    etag: fc.option(anyText, { nil: undefined }),
    lastModified: fc.option(anyText, { nil: undefined }),
    contentHash: anyText,
    revision: fc.option(anyText, { nil: undefined }),
    inboundAnchors: fc.option(fc.array(anyText, { maxLength: 3 }), { nil: undefined }),
    snippets: fc.array(anySnippet, { maxLength: 6 }),
  }),
  { selector: ({ url }) => url, maxLength: 12 },
);

function built(pages: readonly PageRecord[]): Uint8Array {
  const builder = new SegmentBuilder();
  for (const page of pages) builder.addPage(page);
  return builder.finish();
}

const someBytes = built(
  Array.from({ length: 30 }, (_, at) =>
    pageOf(`http://docs/${at}`, `Page ${at}`, [`some text ${at}`, snippetOf(`more text ${at * 7919}`.repeat(40))]),
  ),
);

describe('a segment', () => {
  test('returns every page and snippet unchanged', () => {
    fc.assert(
      fc.property(anyPages, (pages) => {
        const segment = openSegment(sourceOf(built(pages)));
        segment.verify();
        expect(segment.pageCount).toBe(pages.length);
        expect(segment.snippetCount).toBe(pages.flatMap(({ snippets }) => snippets).length);
        expect(segment.tokenCount).toBe(
          pages.flatMap(({ snippets }) => snippets).reduce((sum, s) => sum + s.tokens, 0),
        );
        let first = 0;
        for (const [at, { snippets, ...record }] of pages.entries()) {
          expect(segment.findPage(record.url)).toBe(at);
          const page = segment.page(at);
          expect(page).toEqual({ ...record, firstSnippet: first, snippetCount: snippets.length });
          expect(segment.pageSnippets(at)).toEqual(snippets);
          for (const [i, { id }] of snippets.entries()) {
            expect(segment.pageOfSnippet(first + i)).toBe(at);
            expect(segment.snippetId(first + i)).toBe(id);
            expect(segment.snippetKey(first + i)).toBe(snippetKeyOf(id));
          }
          first += snippets.length;
        }
        expect([...segment.pages()].map(({ url }) => url)).toEqual(pages.map(({ url }) => url));
      }),
    );
  });

  test('has the same bytes for the same pages, written whole or in pieces', () => {
    const pages = [pageOf('http://a', 'A', ['one two', 'three']), pageOf('http://b', 'B', ['four'])];
    const builder = new SegmentBuilder();
    for (const page of pages) builder.addPage(page);
    expect(Buffer.concat([...builder.finishChunks()])).toEqual(Buffer.from(built(pages)));
  });

  test('may have no pages, or pages without snippets', () => {
    expect(segmentOf([]).pageCount).toBe(0);
    expect(segmentOf([]).findPage('http://a')).toBeUndefined();
    const gone = segmentOf([
      pageOf('http://a', 'A', []),
      pageOf('http://b', 'B', ['text']),
      pageOf('http://c', 'C', []),
    ]);
    expect(gone.page(0).snippetCount).toBe(0);
    expect(gone.pageOfSnippet(0)).toBe(1);
  });

  test('refuses a duplicate address', () => {
    const builder = new SegmentBuilder();
    builder.addPage(pageOf('http://a', 'A', []));
    expect(() => builder.addPage(pageOf('http://a', 'A', []))).toThrow(RangeError);
  });

  test('throws for a page or snippet that it does not contain', () => {
    const segment = segmentOf([pageOf('http://a', 'A', ['text'])]);
    expect(() => segment.snippet(1)).toThrow(RangeError);
    expect(() => segment.page(1)).toThrow(RangeError);
  });

  test('knows the name that most of its titles contain', () => {
    const pages = Array.from({ length: 10 }, (_, at) => pageOf(`http://a/${at}`, `Topic${at}x of Flask`, ['text']));
    expect(segmentOf(pages).index.selfTerms).toContain('flask');
    expect(segmentOf(pages).index.selfTerms).not.toContain('topic3x');
    expect(segmentOf(pages.slice(0, 4)).index.selfTerms).toEqual([]);
  });
});

describe('bytes that are not a valid segment', () => {
  test('are refused when truncated at any length', () => {
    fc.assert(
      fc.property(fc.nat(someBytes.length - 1), (length) => {
        expect(() => openSegment(sourceOf(someBytes.slice(0, length)))).toThrow(SegmentFormatError);
      }),
    );
  });

  test('are refused when too long', () => {
    expect(() => openSegment(sourceOf(Buffer.concat([someBytes, Buffer.from([0])])))).toThrow(SegmentFormatError);
  });

  test('are detected when one byte differs, at the latest by a full check', () => {
    fc.assert(
      fc.property(fc.nat(someBytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const changed = someBytes.slice();
        changed[at] = (changed[at] as number) ^ change;
        expect(() => openSegment(sourceOf(changed)).verify()).toThrow(SegmentFormatError);
      }),
      { numRuns: 500 },
    );
  });

  test('are refused when they are arbitrary', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        expect(() => openSegment(sourceOf(bytes))).toThrow(SegmentFormatError);
      }),
    );
  });

  test('are refused with the version number when their format version differs', () => {
    const other = someBytes.slice();
    other[8] = 250;
    expect(() => openSegment(sourceOf(other))).toThrow(/format 250/);
  });

  test('throw when a damaged record is read', () => {
    const changed = someBytes.slice();
    const place = openSegment(sourceOf(someBytes));
    // The last data before the tables are the page records; spoil everything between header and tables.
    const tables = Number(new DataView(changed.buffer).getBigUint64(24, true));
    changed.fill(0, 48, tables);
    const segment = openSegment(sourceOf(changed));
    expect(place.snippet(0).text).toBe('some text 0');
    expect(() => segment.snippet(0)).toThrow(SegmentFormatError);
  });
});
