import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { OpenBlob } from '#server/platform/blobs/index.ts';
import { productVersion } from '#server/platform/product-version.ts';
import type { RecordLink } from '../crawl/crawl-types.ts';
import { isGone as isGoneReason } from '../gone.ts';
import type { SpoolRecord } from './spool.ts';

/** What the last whole crawl knew of a page that it kept: enough to ask for changes only, and to follow its links. */
export interface CrawledPage {
  url: string;
  contentHash: string;
  etag?: string;
  lastModified?: string;
  links?: RecordLink[];
  /** There was nothing to read on it, so it is in no segment. */
  isEmpty?: true;
  /** Text was missing that scripts would have added. */
  needsScripts?: true;
  /** It could not be read; this is what the crawl before knew. */
  isUnread?: true;
  /** Nothing is known of it but why it was gone. */
  goneFor?: string;
  /** Version of the program that read it. */
  readBy?: string;
}

const isGone = ({ status, reason }: SpoolRecord): boolean => status === 'failed' && isGoneReason(reason);

/** Few, because one page is asked for at a time and its whole group is unpacked. */
const pagesPerGroup = 16;
/** Pages are asked for about in the order they were written in. */
const groupsKept = 8;
const footerBytes = 4;

interface IndexedGroup {
  byteLength: number;
  urls: string[];
  emptyCount: number;
}

/** The pages of a crawl as one file: groups of records under zstd, then an index of the addresses in each. */
export class CrawlFileWriter {
  readonly #groups: Uint8Array[] = [];
  readonly #index: Omit<IndexedGroup, 'byteLength'>[] = [];
  #waiting: CrawledPage[] = [];

  /** Takes pages that were kept or are gone, with their record of this crawl; other records are of no use to the next. */
  add(record: SpoolRecord, isEmpty: boolean): void {
    const { url, contentHash, etag, lastModified, links, readBy = productVersion, needsScripts } = record;
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

  /** The file, piece by piece. Uses the writer up. */
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
  /** Pages without text. */
  readonly emptyCount: number;
  find(url: string): CrawledPage | undefined;
  close(): void;
}

/** Opens such a file; memory holds the addresses and a few groups. Throws when the bytes are not what was written. */
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

/** Pages whose records cannot be read are asked for as if they were new. */
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
