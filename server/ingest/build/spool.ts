import { promisify } from 'node:util';
import { zstdCompress, zstdDecompressSync } from 'node:zlib';
import type { PageRecord } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { CrawlRecord } from '../crawl/crawl-types.ts';

const compress = promisify(zstdCompress);

/** What a run learned about one address: the resume state of the run, and the material of the segment. */
export interface SpoolRecord extends Omit<CrawlRecord, 'parsed'> {
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

/** The records of a chunk; throws when the bytes are not a whole chunk. */
export function decodeSpoolChunk(bytes: Uint8Array): SpoolRecord[] {
  return readSpoolLines(zstdDecompressSync(bytes));
}

/** The bytes of a blob that fits into memory. */
export async function readBlob(blobs: Blobs, key: string): Promise<Uint8Array> {
  const blob = await blobs.open(key);
  try {
    return blob.read(0, blob.byteLength);
  } finally {
    blob.close();
  }
}
