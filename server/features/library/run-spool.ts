import { randomBytes } from 'node:crypto';
import { decodeSpoolChunk, encodeSpoolChunk, type SpoolRecord } from '#server/ingest/build/spool.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { Clock } from '#server/platform/clock.ts';

const recordsPerChunk = 48;
const chunkCharactersMax = 4_000_000;
/** What a killed process may have to fetch again from a slow host. */
const waitingMsMax = 5_000;

export interface RunSpool {
  /** Records of the attempts before this one, oldest first. */
  earlier(): AsyncIterable<SpoolRecord>;
  /** Keeps a record; written with its chunk, at the latest by the next `flush`. Records keep the order of the calls. */
  add(record: SpoolRecord): Promise<void>;
  /** Writes what is waiting; answers the keys of the chunks with new pages that were written since the last call. */
  flush(): Promise<string[]>;
  /** All chunks, oldest first. */
  chunkKeys(): string[];
  /** Deletes everything: the run is over and its material is in a segment. */
  remove(): Promise<void>;
}

export interface RunSpoolParts {
  blobs: Blobs;
  clock: Clock;
  /** Called with the key of each chunk with new pages, when it has been written. */
  onNewPages?: (chunkKey: string) => void;
}

/**
 * The memory of a run in the blob store: what it fetched survives the end of the process, so that the next attempt
 * goes on from there. Chunks are written one after another, each whole or not at all. A chunk never replaces one of
 * another attempt.
 */
export async function openRunSpool({ blobs, clock, onNewPages }: RunSpoolParts, spoolId: string): Promise<RunSpool> {
  const prefix = `runs/${spoolId}/`;
  const earlierKeys = await blobs.list(prefix);
  const keys = [...earlierKeys];
  const withNewPages: string[] = [];
  let next = numberOf(prefix, earlierKeys.at(-1)) + 1;
  let waiting: SpoolRecord[] = [];
  let waitingCharacters = 0;
  let waitingSince = 0;
  let writing: Promise<void> = Promise.resolve();

  const write = async () => {
    if (waiting.length === 0) return;
    const records = waiting;
    waiting = [];
    waitingCharacters = 0;
    const key = `${prefix}${String(next).padStart(8, '0')}-${randomBytes(4).toString('hex')}.jsonl.zst`;
    next += 1;
    await blobs.put(key, await encodeSpoolChunk(records));
    keys.push(key);
    if (!records.some(({ page }) => page !== undefined)) return;
    withNewPages.push(key);
    onNewPages?.(key);
  };
  const writeInTurn = () => {
    const written = writing.then(write);
    writing = written.catch(() => undefined);
    return written;
  };

  return {
    async *earlier() {
      for (const key of earlierKeys) yield* decodeSpoolChunk(await readWhole(blobs, key));
    },
    async add(record) {
      if (waiting.length === 0) waitingSince = clock.now();
      waiting.push(record);
      waitingCharacters += charactersOf(record);
      const isFull = waiting.length >= recordsPerChunk || waitingCharacters >= chunkCharactersMax;
      if (isFull || clock.now() - waitingSince >= waitingMsMax) await writeInTurn();
    },
    async flush() {
      await writeInTurn();
      return withNewPages.splice(0);
    },
    chunkKeys: () => [...keys],
    async remove() {
      await writing;
      for (const key of keys.splice(0)) await blobs.delete(key);
    },
  };
}

function numberOf(prefix: string, key: string | undefined): number {
  return key === undefined ? -1 : Number.parseInt(key.slice(prefix.length), 10);
}

function charactersOf({ links = [], page }: SpoolRecord): number {
  let characters = 0;
  for (const { url, text } of links) characters += url.length + text.length;
  for (const { text } of page?.snippets ?? []) characters += text.length;
  return characters;
}

async function readWhole(blobs: Blobs, key: string): Promise<Uint8Array> {
  const blob = await blobs.open(key);
  try {
    return blob.read(0, blob.byteLength);
  } finally {
    blob.close();
  }
}
