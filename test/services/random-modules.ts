import fc from 'fast-check';
import { SegmentBuilder } from '#server/engine/segment/builder.ts';
import { openSegment, type Segment } from '#server/engine/segment/segment.ts';
import type { ByteSource, PageRecord, Snippet } from '#server/engine/types.ts';

/** Wraps bytes in memory as a source, with a file's bounds checks. */
export function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    byteLength: bytes.byteLength,
    read(offset, length) {
      if (offset < 0 || offset + length > bytes.byteLength) throw new RangeError('Past the end.');
      return bytes.subarray(offset, offset + length);
    },
  };
}

export function segmentOf(pages: readonly PageRecord[]): Segment {
  const builder = new SegmentBuilder();
  for (const page of pages) builder.addPage(page);
  return openSegment(sourceOf(builder.finish()));
}

export function snippetOf(text: string, more: Partial<Snippet> = {}): Snippet {
  return {
    id: text.slice(0, 16),
    anchor: '',
    headingPath: [],
    kind: 'prose',
    identifiers: [],
    text,
    tokens: 1,
    ...more,
  };
}

export function pageOf(
  url: string,
  title: string,
  snippets: readonly (Snippet | string)[],
  more: Partial<PageRecord> = {},
): PageRecord {
  const own = snippets.map((snippet) => (typeof snippet === 'string' ? snippetOf(snippet) : snippet));
  return { url, title, fetchedAt: 1, contentHash: 'hash', snippets: own, ...more };
}

// Few words, so that terms repeat often; includes names, synonyms and function words.
const words = [
  'delete',
  'remove',
  'branch',
  'fork',
  'list',
  'array',
  'task',
  'asyncio.create_task',
  'create',
  '--no-verify',
  'commit',
  'the',
  'how',
  'to',
  'useEffect',
  'effect',
  'kill',
  'session',
  'pg_stat_activity',
  'stat',
  '404',
  'c++',
  'error',
  'join',
];

const text = fc.array(fc.constantFrom(...words), { maxLength: 12 }).map((picked) => picked.join(' '));

const snippet: fc.Arbitrary<Snippet> = fc.record({
  id: fc.nat().map((number) => number.toString(16)),
  anchor: fc.constantFrom('', 'a', 'b'),
  headingPath: fc.array(text, { maxLength: 2 }),
  kind: fc.constantFrom('prose' as const, 'code' as const, 'api' as const, 'table' as const),
  identifiers: fc.array(fc.constantFrom('asyncio.create_task', 'useEffect', '--no-verify'), { maxLength: 2 }),
  text: fc.tuple(text, text).map(([prose, code]) => (code === '' ? prose : `${prose}\n\n\`\`\`sh\n${code}\n\`\`\``)),
  tokens: fc.nat(500),
});

const pageContent = fc.record({
  title: text,
  role: fc.constantFrom('guide', 'releases', '_modules'),
  inboundAnchors: fc.option(fc.array(text, { maxLength: 3 }), { nil: undefined }),
  snippets: fc.array(snippet, { maxLength: 5 }),
});

/** Modules of a few pages with a small vocabulary, some pages hidden. */
export const randomModules = fc.array(
  fc.record({
    pages: fc
      .array(pageContent, { maxLength: 12 })
      .map((contents) =>
        contents.map(({ title, role, inboundAnchors, snippets }, at) =>
          pageOf(`http://docs/${role}/branch-${at}.html`, title, snippets, { inboundAnchors }),
        ),
      ),
    hidden: fc.array(fc.nat(11), { maxLength: 3 }),
    boost: fc.constantFrom(0.5, 1, 1.3),
  }),
  { minLength: 1, maxLength: 4 },
);

export const randomQuery = text.filter((query) => query !== '');
