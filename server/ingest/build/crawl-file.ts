import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { OpenBlob } from '#server/platform/blobs/index.ts';
import type { RecordLink } from '../crawl/crawl-types.ts';
import { isGone as isGoneReason } from '../gone.ts';
import { parserVersion } from '../parser-version.ts';
import type { SpoolRecord } from './spool.ts';

/** Data about a page from the last whole crawl, sufficient to request only changes and to follow its links. */
export interface CrawledPage {
  url: string;
  contentHash: string;
  etag?: string;
  lastModified?: string;
  links?: RecordLink[];
  /** True if it had no text, so that it is in no segment. */
  isEmpty?: true;
  /** True if text was missing that scripts would have added. */
  needsScripts?: true;
  /** True if it could not be read; the other fields are from the crawl before. */
  isUnread?: true;
  /** Why the page was gone; nothing else is known about it. */
  goneFor?: string;
  /** Version of the program that read it. */
  readBy?: string;
}

const isGone = ({ status, reason }: SpoolRecord): boolean => status === 'failed' && isGoneReason(reason);

/** Small, because each lookup is for one page but unpacks its whole group. */
const pagesPerGroup = 16;
/** Pages are looked up roughly in the order they were written. */
const groupsKept = 8;
const footerBytes = 4;

interface IndexedGroup {
  byteLength: number;
  urls: string[];
  emptyCount: number;
}

/** Writes a crawl's pages to one file: zstd-compressed groups of records, then an index of each group's addresses. */
export class CrawlFileWriter {
  readonly #groups: Uint8Array[] = [];
  readonly #index: Omit<IndexedGroup, 'byteLength'>[] = [];
  #waiting: CrawledPage[] = [];

  /** Adds a page that was kept or is gone; ignores other records, which the next crawl does not need. */
  add(record: SpoolRecord, isEmpty: boolean): void {
    const { url, contentHash, etag, lastModified, links, readBy = parserVersion(), needsScripts } = record;
    if (contentHash === undefined) {
      if (isGone(record)) this.#keep({ url, contentHash: '', goneFor: record.reason as string });
      return;
    }
    const isUnread = record.status === 'failed';
    const marks = {
      ...(isEmpty ? { isEmpty } : {}),
      ...(isUnread ? { isUnread } : {}),
      ...(needsScripts && { needsScripts }),
    };
    this.#keep({ url, contentHash, etag, lastModified, links, readBy, ...marks });
  }

  #keep(page: CrawledPage): void {
    this.#waiting.push(page);
    if (this.#waiting.length >= pagesPerGroup) this.#pack();
  }

  /** Returns the file in pieces. The writer must not be used afterwards. */
  finish(): Uint8Array[] {
    if (this.#waiting.length > 0) this.#pack();
    const byteLengths = this.#groups.map(({ byteLength }) => byteLength);
    const index = pack(this.#index.map((entry, group) => ({ ...entry, byteLength: byteLengths[group] })));
    const footer = Buffer.alloc(footerBytes);
    footer.writeUInt32LE(index.byteLength);
    return [...this.#groups, index, footer];
  }

  #pack(): void {
    this.#groups.push(pack(this.#waiting));
    const emptyCount = this.#waiting.filter(({ isEmpty }) => isEmpty).length;
    this.#index.push({ urls: this.#waiting.map(({ url }) => url), emptyCount });
    this.#waiting = [];
  }
}

export interface CrawlFile {
  /** Number of pages without text. */
  readonly emptyCount: number;
  find(url: string): CrawledPage | undefined;
  close(): void;
}

/** Opens a crawl file; only the addresses and a few groups are kept in memory. Throws if the file is damaged. */
export function openCrawlFile(blob: OpenBlob): CrawlFile {
  const groupOf = new Map<string, number>();
  const places: { offset: number; byteLength: number }[] = [];
  let offset = 0;
  let emptyCount = 0;
  for (const [group, { byteLength, urls, ...entry }] of readIndex(blob).entries()) {
    emptyCount += entry.emptyCount;
    places.push({ offset, byteLength });
    offset += byteLength;
    for (const url of urls) groupOf.set(url, group);
  }
  const kept = new Map<number, Map<string, CrawledPage>>();
  const open = (group: number) => {
    const known = kept.get(group);
    if (known !== undefined) return known;
    const place = places[group] ?? { offset: 0, byteLength: 0 };
    const byUrl = new Map(readGroup(blob, place).map((page) => [page.url, page]));
    if (kept.size >= groupsKept) kept.delete(kept.keys().next().value ?? 0);
    kept.set(group, byUrl);
    return byUrl;
  };
  return {
    emptyCount,
    find(url) {
      const group = groupOf.get(url);
      return group === undefined ? undefined : open(group).get(url);
    },
    close: () => blob.close(),
  };
}

/** Returns no pages if the group is damaged; they are then requested as new. */
function readGroup(blob: OpenBlob, { offset, byteLength }: { offset: number; byteLength: number }): CrawledPage[] {
  try {
    return unpack(blob.read(offset, byteLength)) as CrawledPage[];
  } catch {
    return [];
  }
}

function readIndex(blob: OpenBlob): IndexedGroup[] {
  const end = blob.byteLength - footerBytes;
  const byteLength = Buffer.from(blob.read(end, footerBytes)).readUInt32LE();
  return unpack(blob.read(end - byteLength, byteLength)) as IndexedGroup[];
}

function pack(value: unknown): Uint8Array {
  return zstdCompressSync(Buffer.from(JSON.stringify(value)));
}

function unpack(bytes: Uint8Array): unknown {
  return JSON.parse(zstdDecompressSync(bytes).toString('utf8'));
}
