import type { Logger } from '../log.ts';
import type { Blobs } from './blobs.ts';

/** Blobs to be deleted, by the day on which they were moved here: `trash/2026-03-01/segments/…`. */
const trashPrefix = 'trash/';
const dayMs = 24 * 60 * 60_000;
const daysKept = 7;
const datedKey = /^trash\/(\d{4}-\d\d-\d\d)\/(.+)$/;

/** Returns true for the key of a blob in the trash. */
export function isInTrash(key: string): boolean {
  return key.startsWith(trashPrefix);
}

/**
 * Wraps a store so that nothing is deleted while another database may use it too. The sweeps find blobs that were kept.
 */
export function guardBlobs(blobs: Blobs, mayDelete: () => Promise<boolean>): Blobs {
  return {
    put: (key, content) => blobs.put(key, content),
    open: (key) => blobs.open(key),
    exists: (key) => blobs.exists(key),
    list: (prefix) => blobs.list(prefix),
    entries: (prefix) => blobs.entries(prefix),
    delete: async (key) => (await mayDelete()) && blobs.delete(key),
    move: async (from, to) => (isInTrash(from) || (await mayDelete())) && blobs.move(from, to),
  };
}

/** Moves a blob to the trash, where it stays for seven days. */
export async function moveToTrash(
  { blobs, log }: { blobs: Blobs; log: Logger },
  key: string,
  { now, reason }: { now: number; reason: string },
): Promise<void> {
  const to = `${trashPrefix}${dateOf(now)}/${key}`;
  if (await blobs.move(key, to)) log.info({ key, trash: to, reason }, 'a file was moved to the trash');
}

/** Deletes blobs that have been in the trash for seven full days. */
export async function emptyTrash({ blobs, log }: { blobs: Blobs; log: Logger }, now: number): Promise<void> {
  for (const key of await blobs.list(trashPrefix)) {
    const date = datedKey.exec(key)?.[1];
    const until = date === undefined ? Number.NaN : Date.parse(`${date}T00:00:00Z`) + (daysKept + 1) * dayMs;
    if (until <= now && (await blobs.delete(key))) log.info({ key }, 'a file was deleted from the trash');
  }
}

/**
 * Deletes all blobs with this prefix, including those in the trash, at a user's request. Returns false if one must
 * stay.
 */
export async function deleteForGood(
  { blobs, log }: { blobs: Blobs; log: Logger },
  prefix: string,
  reason: string,
): Promise<boolean> {
  for (const key of await blobs.list(prefix)) {
    if (!(await blobs.delete(key))) return false;
    log.info({ key, reason }, 'a file was deleted');
  }
  return deleteFromTrash({ blobs, log }, prefix, reason);
}

/** Deletes the blobs in the trash whose original keys have this prefix. Returns false if one must stay. */
export async function deleteFromTrash(
  { blobs, log }: { blobs: Blobs; log: Logger },
  prefix: string,
  reason: string,
): Promise<boolean> {
  for (const key of await blobs.list(trashPrefix)) {
    if (!datedKey.exec(key)?.[2]?.startsWith(prefix)) continue;
    if (!(await blobs.delete(key))) return false;
    log.info({ key, reason }, 'a file was deleted from the trash');
  }
  return true;
}

/** Restores those of these blobs that are missing and in the trash; returns their keys. */
export async function takeFromTrash(
  { blobs, log }: { blobs: Blobs; log: Logger },
  wanted: readonly string[],
): Promise<string[]> {
  const trashed = new Map<string, string>();
  // Sorted by day, so the newest copy of a key comes last.
  for (const key of await blobs.list(trashPrefix)) {
    const original = datedKey.exec(key)?.[2];
    if (original !== undefined) trashed.set(original, key);
  }
  if (trashed.size === 0) return [];
  const restored: string[] = [];
  for (const key of wanted) {
    const from = trashed.get(key);
    if (from === undefined || (await blobs.exists(key)) || !(await blobs.move(from, key))) continue;
    log.warn({ key, trash: from }, 'a file that a row names was taken back from the trash');
    restored.push(key);
  }
  return restored;
}

function dateOf(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
