import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { PageRecord } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { CrawlRecord } from '../crawl/crawl-types.ts';

const compress = promisify(zstdCompress);

/** A run's result for one address; used both to resume the run and to build the segment. */
export interface SpoolRecord extends Omit<CrawlRecord, 'parsed'> {
  /** The page's content, if the status is `page`. */
  page?: PageRecord;
}

/** Returns a record as a line of a chunk. */
export function toSpoolLine(record: SpoolRecord): Uint8Array {
  return Buffer.from(JSON.stringify(record));
}

/** Joins lines into one text. */
export function joinSpoolLines(lines: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(lines.flatMap((line, at) => (at === 0 ? [line] : [lineEnd, line])));
}

const lineEnd = Buffer.from('\n');

/** Compresses a text with zstd for storage. */
export async function packSpoolLines(text: Uint8Array): Promise<Uint8Array> {
  return compress(text);
}

/** Returns the records in an uncompressed text. */
export function readSpoolLines(bytes: Uint8Array): SpoolRecord[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as SpoolRecord);
}

/** Returns the records of a compressed chunk; throws if it is damaged or incomplete. */
export function decodeSpoolChunk(bytes: Uint8Array): SpoolRecord[] {
  return readSpoolLines(zstdDecompressSync(bytes));
}

/** Returns the bytes of a blob that fits in memory. */
export async function readBlob(blobs: Blobs, key: string): Promise<Uint8Array> {
  const blob = await blobs.open(key);
  try {
    return blob.read(0, blob.byteLength);
  } finally {
    blob.close();
  }
}
