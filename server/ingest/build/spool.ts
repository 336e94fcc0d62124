import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { PageRecord } from '#server/engine/index.ts';

const compress = promisify(zstdCompress);

/** A link from one page of a module to another, as evidence of what the target is about. */
export interface SpoolLink {
  url: string;
  text: string;
  /** False for navigation. */
  fromContent: boolean;
}

/** What a run learned about one address: the resume state of the run, and the material of the segment. */
export interface SpoolRecord {
  url: string;
  status: 'page' | 'unchanged' | 'redirect' | 'canonical' | 'skipped' | 'failed';
  target?: string;
  reason?: string;
  depth: number;
  etag?: string;
  lastModified?: string;
  contentHash?: string;
  fetchedAt: number;
  contentBytes: number;
  title?: string;
  links?: SpoolLink[];
  /** Nothing can be found on the page. */
  isEmpty?: true;
  /** With status `page`: what was found on it. */
  page?: PageRecord;
}

/** A record as a line of a chunk. */
export function toSpoolLine(record: SpoolRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** Such lines as one text. */
export function joinSpoolLines(lines: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [lineEnd, line])));
}

const lineEnd = Buffer.from('\n');

/** The text as it is stored: under zstd. */
export async function packSpoolLines(text: Uint8Array): Promise<Uint8Array> {
  return compress(text);
}

/** The records of such a text. */
export function readSpoolLines(bytes: Uint8Array): SpoolRecord[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as SpoolRecord);
}

/** One chunk of records: JSON lines under zstd. */
export async function encodeSpoolChunk(records: SpoolRecord[]): Promise<Uint8Array> {
  return packSpoolLines(joinSpoolLines(records.map(toSpoolLine)));
}

/** The records of a chunk; throws when the bytes are not a whole chunk. */
export function decodeSpoolChunk(bytes: Uint8Array): SpoolRecord[] {
  return readSpoolLines(zstdDecompressSync(bytes));
}
