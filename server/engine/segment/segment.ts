import type { ByteSource, PageRecord, Snippet } from '../types.ts';
import { type ByteCache, sharedByteCache } from './byte-cache.ts';
import { createCheckedSource } from './checked-source.ts';
import { SegmentFormatError } from './format.ts';
import { findInSlots, findText, hashBytes, type TermKey } from './hash-table.ts';
import { skipInterval, splitPostings, type TermPostings } from './postings-format.ts';
import { readTables } from './read-tables.ts';
import { createBlockReader } from './record-blocks.ts';
import { readSnippet, readSnippetId, snippetKeyOf } from './snippet-record.ts';

export interface SegmentPage extends Omit<PageRecord, 'snippets'> {
  /** Number of its first snippet in the segment. */
  firstSnippet: number;
  snippetCount: number;
}

/** An opened segment. Pages and snippets are numbered from 0 in the order in which they were added. */
export interface Segment {
  readonly pageCount: number;
  readonly snippetCount: number;
  /** Total o200k_base tokens of all texts. */
  readonly tokenCount: number;
  /** Returns the number of the page with this address (without fragment). */
  findPage(url: string): number | undefined;
  /** Throws RangeError for an invalid page number. */
  page(pageIndex: number): SegmentPage;
  pages(): Generator<SegmentPage>;
  snippet(snippetIndex: number): Snippet;
  /** Returns the id of `snippet`, without reading the rest. */
  snippetId(snippetIndex: number): string;
  /**
   * Returns `snippetKeyOf` of that id, without reading the snippet; segments of earlier versions store no keys, so
   * there the id is read.
   */
  snippetKey(snippetIndex: number): number;
  /** Returns a page's snippets, or its first ones: a page can have tens of thousands. */
  pageSnippets(pageIndex: number, max?: number): Snippet[];
  pageOfSnippet(snippetIndex: number): number;
  /** Reads everything and verifies all checksums. Throws SegmentFormatError on a mismatch. */
  verify(): void;
  /** For opening the segment in another thread; undefined if its bytes are not a local file. */
  readonly shared: SharedSegment | undefined;
  /** For the ranking; not for other callers. */
  readonly index: SegmentIndex;
}

/** An opened segment for other threads of the process, which read the file themselves and share the tables. */
export interface SharedSegment {
  file: string;
  tables: SharedArrayBuffer;
}

/** A segment's terms in memory, for callers that search many segments at once. */
export interface TermTable {
  /** Hash table (see `buildHashSlots`) of the terms, whose texts are stored end to end. */
  slots: Uint32Array;
  starts: Uint32Array;
  text: Uint8Array;
  /** Indexed by term number. */
  snippetFrequencies: Uint32Array;
  pageFrequencies: Uint32Array;
}

/** The searchable side of a segment. */
export interface SegmentIndex {
  /** Terms in the titles of most pages: the module's own name. */
  readonly selfTerms: readonly string[];
  readonly snippetFieldTotals: readonly number[];
  readonly pageFieldTotals: readonly number[];
  /** Length codes, `snippetFieldCount` per snippet. */
  readonly snippetLengths: Uint8Array;
  /** Length codes of the page fields, then of the snippet fields summed over the page. */
  readonly pageLengths: Uint8Array;
  /** First snippet of each page, and one past the last. */
  readonly pageFirst: Uint32Array;
  /** Index into `pageRoles` for each page. */
  readonly pageRoles: Uint8Array;
  readonly terms: TermTable;
  findTerm(key: TermKey): number | undefined;
  termText(term: number): string;
  snippetFrequency(term: number): number;
  /** Returns the number of pages that have the term in a snippet or a page-level field. */
  pageFrequency(term: number): number;
  postings(term: number): TermPostings;
  /** Returns the encoded terms of a snippet in reading order. */
  sequence(snippetIndex: number): Uint8Array;
  /** Returns the encoded terms of a page's title. */
  title(pageIndex: number): Uint8Array;
}

/**
 * Opens a segment. Terms, lengths and offsets stay in memory; postings, sequences and texts are read on demand and
 * cached in `cache`. Throws SegmentFormatError for bytes that are no segment, truncated or changed; changes in data
 * read on demand are detected then. `knownTables` are the tables of the same file, opened in another thread.
 */
export function openSegment(
  source: ByteSource,
  cache: ByteCache = sharedByteCache,
  knownTables?: SharedArrayBuffer,
): Segment {
  const tables = readTables(source, knownTables);
  const { directory } = tables;
  const checked = createCheckedSource(source, tables.numbers('pageChecksums'), tables.dataEnd, cache.pieces());
  const reader = (name: string) => {
    const place = directory.data[name];
    if (place === undefined) throw new SegmentFormatError(`The segment has no part ${name}.`);
    return (start: number, length: number) => checked.read(place.offset + start, length);
  };
  const recordsOf = (kind: 'snippet' | 'page') => {
    const [starts, firsts] = [tables.numbers(`${kind}BlockStarts`), tables.numbers(`${kind}BlockFirsts`)];
    return createBlockReader(reader(`${kind}s`), starts, firsts, cache.pieces());
  };
  const [snippetBytes, pageBytes] = [recordsOf('snippet'), recordsOf('page')];
  const pageFirst = tables.numbers('pageFirst');
  const urlSlots = tables.numbers('urlSlots');
  const snippetKeys = directory.tables['snippetKeys'] && tables.numbers('snippetKeys');

  const recordOf = (pageIndex: number): Omit<PageRecord, 'snippets'> => {
    const { buffer, byteOffset, byteLength } = pageBytes(pageIndex);
    return JSON.parse(Buffer.from(buffer, byteOffset, byteLength).toString('utf8'));
  };
  const page = (pageIndex: number): SegmentPage => {
    const firstSnippet = pageFirst[pageIndex] ?? 0;
    return { ...recordOf(pageIndex), firstSnippet, snippetCount: (pageFirst[pageIndex + 1] ?? 0) - firstSnippet };
  };
  const snippet = (snippetIndex: number): Snippet => readSnippet(snippetBytes(snippetIndex));
  const idOf = (snippetIndex: number): string => readSnippetId(snippetBytes(snippetIndex));

  return {
    pageCount: directory.pageCount,
    snippetCount: directory.snippetCount,
    tokenCount: directory.tokenCount,
    findPage: (url) => findInSlots(urlSlots, hashBytes(Buffer.from(url)), (index) => recordOf(index).url === url),
    page,
    *pages() {
      for (let index = 0; index < directory.pageCount; index += 1) yield page(index);
    },
    snippet,
    snippetId: idOf,
    snippetKey: (snippetIndex) => snippetKeys?.[snippetIndex] ?? snippetKeyOf(idOf(snippetIndex)),
    pageSnippets(pageIndex, max = Number.POSITIVE_INFINITY) {
      const first = pageFirst[pageIndex] ?? 0;
      const end = pageFirst[pageIndex + 1] ?? first;
      return Array.from({ length: Math.min(end - first, max) }, (_, index) => snippet(first + index));
    },
    pageOfSnippet: (snippetIndex) => pageAt(pageFirst, snippetIndex),
    verify: () => checked.verify(),
    shared: source.file === undefined ? undefined : { file: source.file, tables: tables.memory },
    index: openIndex(tables, reader),
  };
}

type RangeReader = (start: number, length: number) => Uint8Array;

function openIndex(tables: ReturnType<typeof readTables>, reader: (name: string) => RangeReader): SegmentIndex {
  const { directory, numbers } = tables;
  const termText = tables.bytes('termText');
  const termStarts = numbers('termStarts');
  const termSlots = numbers('termSlots');
  const snippetFrequency = numbers('snippetFrequency');
  const pageFrequency = numbers('pageFrequency');
  const findSkips = createSkipFinder(numbers('skipTerms'), numbers('skipStarts'), numbers('skips'));
  const ranges = (name: string) => {
    const starts = numbers(`${name}Starts`);
    return (read: RangeReader, index: number) => {
      const start = starts[index] ?? 0;
      return read(start, (starts[index + 1] ?? start) - start);
    };
  };
  const postingRange = ranges('posting');
  const sequenceRange = ranges('sequence');
  const titleRange = ranges('title');
  const postings = reader('postings');
  const sequences = reader('sequences');
  const titles = reader('titles');

  return {
    selfTerms: directory.selfTerms,
    snippetFieldTotals: directory.snippetFieldTotals,
    pageFieldTotals: directory.pageFieldTotals,
    snippetLengths: tables.bytes('snippetLengths'),
    pageLengths: tables.bytes('pageLengths'),
    pageFirst: numbers('pageFirst'),
    pageRoles: tables.bytes('pageRoles'),
    terms: {
      slots: termSlots,
      starts: termStarts,
      text: termText,
      snippetFrequencies: snippetFrequency,
      pageFrequencies: pageFrequency,
    },
    findTerm: ({ bytes, hash }) => findText(termSlots, hash, bytes, termText, termStarts),
    termText: (term) => Buffer.from(termText.subarray(termStarts[term], termStarts[term + 1])).toString(),
    snippetFrequency: (term) => snippetFrequency[term] ?? 0,
    pageFrequency: (term) => pageFrequency[term] ?? 0,
    postings: (term) => {
      const isLong = (snippetFrequency[term] ?? 0) >= 2 * skipInterval;
      return splitPostings(postingRange(postings, term), isLong ? findSkips(term) : noSkips);
    },
    sequence: (snippetIndex) => sequenceRange(sequences, snippetIndex),
    title: (pageIndex) => titleRange(titles, pageIndex),
  };
}

const noSkips = new Uint32Array(0);

function createSkipFinder(terms: Uint32Array, starts: Uint32Array, skips: Uint32Array) {
  return (term: number): Uint32Array => {
    let low = 0;
    let high = terms.length - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const at = terms[middle] as number;
      if (at === term) return skips.subarray(starts[middle], starts[middle + 1]);
      if (at < term) low = middle + 1;
      else high = middle - 1;
    }
    return noSkips;
  };
}

/** Returns the last non-empty page that begins at or before a snippet. */
function pageAt(pageFirst: Uint32Array, snippetIndex: number): number {
  let low = 0;
  let high = pageFirst.length - 2;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pageFirst[middle] as number) <= snippetIndex) low = middle;
    else high = middle - 1;
  }
  return low;
}
