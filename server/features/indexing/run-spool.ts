import { randomBytes } from 'node:crypto';
import {
  decodeSpoolChunk,
  joinSpoolLines,
  packSpoolLines,
  readBlob,
  type SpoolRecord,
  toSpoolLine,
} from '#server/ingest/build/spool.ts';
import type { BlobEntry, Blobs } from '#server/platform/blobs/index.ts';
import type { Clock } from '#server/platform/clock.ts';

const recordsPerChunk = 48;
const chunkBytesMax = 4_000_000;
/**
 * Longest time a record waits to be written: a killed process must fetch these pages again, perhaps from a slow host.
 */
const waitingMsMax = 5_000;

export interface RunSpool {
  /** Records of earlier attempts, oldest first. */
  earlier(): AsyncIterable<SpoolRecord>;
  /**
   * Adds a record, which is written with its chunk, at the latest by the next `flush`. Records keep the order of the
   * calls.
   */
  add(record: SpoolRecord): Promise<void>;
  /** Writes the waiting records. */
  flush(): Promise<void>;
  /**
   * Returns the keys of chunks with new pages that were not announced yet, including the waiting records as the last
   * chunk, and the lines of the chunks not written yet; `flush` writes those.
   */
  ahead(): { keys: string[]; unwritten: Map<string, Uint8Array> };
  /** Returns the keys of all chunks, oldest first. */
  chunkKeys(): string[];
  /** Deletes all chunks when the run is over and its pages are in a segment. */
  remove(): Promise<void>;
}

export interface RunSpoolParts {
  blobs: Blobs;
  clock: Clock;
  /** Called with the key of each chunk with new pages, after it has been written. */
  onNewPages?: (chunkKey: string) => void;
  /** Called with the total stored bytes after each chunk; if it throws, so does the call that wrote the chunk. */
  requireRoom?: ((bytes: number) => void) | undefined;
  /** Called with each record. */
  onAdd?: (() => void) | undefined;
}

/** Records that are written together. */
interface Chunk {
  key: string;
  lines: Uint8Array;
  hasNewPages: boolean;
}

/**
 * Opens a run's storage in the blob store: fetched pages survive the process, so that the next attempt can resume.
 * Chunks are written one after another, each atomically; a chunk that could not be written is retried by the next
 * writing call. A chunk never replaces one of another attempt.
 */
export async function openRunSpool(parts: RunSpoolParts, spoolId: string): Promise<RunSpool> {
  const { blobs, clock, onNewPages, requireRoom, onAdd } = parts;
  const prefix = `runs/${spoolId}/`;
  const earlier = await blobs.entries(prefix);
  let storedBytes = earlier.reduce((sum, { byteLength }) => sum + byteLength, 0);
  const keys = earlier.map(({ key }) => key);
  const untold: string[] = [];
  const unwritten: Chunk[] = [];
  let next = numberOf(prefix, earlier.at(-1)?.key) + 1;
  // Stored as lines, which need a third of the records' memory and no encoding when they are written.
  let waiting: Uint8Array[] = [];
  let [waitingBytes, waitingSince] = [0, 0];
  let hasNewPages = false;
  let writing: Promise<void> = Promise.resolve();

  const closeChunk = () => {
    if (waiting.length === 0) return;
    const key = newKey(prefix, next++);
    unwritten.push({ key, lines: joinSpoolLines(waiting), hasNewPages });
    if (hasNewPages) untold.push(key);
    [waiting, waitingBytes] = [[], 0];
    hasNewPages = false;
  };
  const write = async () => {
    for (let chunk = unwritten[0]; chunk !== undefined; chunk = unwritten[0]) {
      storedBytes += await blobs.put(chunk.key, await packSpoolLines(chunk.lines));
      unwritten.shift();
      keys.push(chunk.key);
      if (chunk.hasNewPages) onNewPages?.(chunk.key);
      requireRoom?.(storedBytes);
    }
  };
  const writeInTurn = () => {
    closeChunk();
    const written = writing.then(write);
    writing = written.catch(() => undefined);
    return written;
  };

  return {
    earlier: () => recordsOf(blobs, earlier),
    async add(record) {
      if (waiting.length === 0 && unwritten.length === 0) waitingSince = clock.now();
      const line = toSpoolLine(record);
      waiting.push(line);
      onAdd?.();
      waitingBytes += line.byteLength;
      hasNewPages ||= record.page !== undefined;
      const isFull = waiting.length >= recordsPerChunk || waitingBytes >= chunkBytesMax;
      if (isFull || clock.now() - waitingSince >= waitingMsMax) await writeInTurn();
    },
    flush: writeInTurn,
    ahead() {
      closeChunk();
      return { keys: untold.splice(0), unwritten: new Map(unwritten.map(({ key, lines }) => [key, lines])) };
    },
    chunkKeys: () => [...keys],
    async remove() {
      await writing;
      for (const key of keys.splice(0)) await blobs.delete(key);
    },
  };
}

async function* recordsOf(blobs: Blobs, chunks: readonly BlobEntry[]): AsyncIterable<SpoolRecord> {
  for (const { key } of chunks) yield* decodeSpoolChunk(await readBlob(blobs, key));
}

function newKey(prefix: string, number: number): string {
  return `${prefix}${String(number).padStart(8, '0')}-${randomBytes(4).toString('hex')}.jsonl.zst`;
}

function numberOf(prefix: string, key: string | undefined): number {
  return key === undefined ? -1 : Number.parseInt(key.slice(prefix.length), 10);
}
