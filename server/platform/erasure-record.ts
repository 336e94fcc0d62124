import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackgroundWork } from './background-work.ts';
import type { Blobs } from './blobs/blobs.ts';
import type { Claim } from './store-claim.ts';
import { readText } from './system-files.ts';

/** A deleted account. */
export interface Erasure {
  /** A random id without personal data. */
  userId: string;
  /** Epoch milliseconds. */
  at: number;
}

/** Deleted accounts, stored outside the database, so that restoring a backup of it keeps them. */
export interface ErasureRecord {
  list(): Promise<Erasure[]>;
  /** Skips accounts that are already in the record. */
  add(erasures: Erasure[]): Promise<void>;
}

const keyPrefix = 'erasures/';

/**
 * Creates the record as an append-only file in the data folder. With a `store`, which several processes share and which
 * outlives each one's folder, accounts are also recorded there in the background.
 */
export function erasureRecord(
  dataFolder: string,
  store?: { blobs: Blobs; storeClaim: Pick<Claim, 'isOwn'>; background: BackgroundWork },
): ErasureRecord {
  const file = join(dataFolder, 'erasures.jsonl');
  const noted = store === undefined ? async () => [] : () => listStored(store.blobs);
  return {
    list: async () => [...(await listLines(file)), ...(await noted())],
    async add(erasures) {
      await addLines(file, unknownTo(await listLines(file), erasures));
      store?.background.run('noting a deleted account in the file store', async () => {
        // A test copy of the database must not make the original installation, which owns the store, delete these
        // accounts.
        if (!(await store.storeClaim.isOwn())) return;
        for (const erasure of unknownTo(await noted(), erasures)) {
          await store.blobs.put(`${keyPrefix}${erasure.at}-${erasure.userId}`, Buffer.from(lineOf(erasure)));
        }
      });
    },
  };
}

function unknownTo(known: Erasure[], erasures: Erasure[]): Erasure[] {
  const ids = new Set(known.map(({ userId }) => userId));
  return erasures.filter(({ userId }) => !ids.has(userId) && ids.add(userId));
}

async function listLines(file: string): Promise<Erasure[]> {
  const text = (await readText(file)) ?? '';
  return text.split('\n').flatMap((line) => readErasure(line) ?? []);
}

async function addLines(file: string, erasures: Erasure[]): Promise<void> {
  if (erasures.length > 0) await appendFile(file, erasures.map(lineOf).join(''), { mode: 0o600 });
}

async function listStored(blobs: Blobs): Promise<Erasure[]> {
  return (await blobs.list(keyPrefix)).flatMap((key) => {
    const [, at, userId] = /^erasures\/(\d+)-(.+)$/.exec(key) ?? [];
    return userId === undefined ? [] : { userId, at: Number(at) };
  });
}

function lineOf({ userId, at }: Erasure): string {
  return `${JSON.stringify({ userId, at })}\n`;
}

/** Returns undefined for a line cut off by a power failure. */
function readErasure(line: string): Erasure | undefined {
  try {
    const { userId, at } = JSON.parse(line) as Partial<Erasure>;
    return typeof userId === 'string' && typeof at === 'number' ? { userId, at } : undefined;
  } catch {
    return undefined;
  }
}
