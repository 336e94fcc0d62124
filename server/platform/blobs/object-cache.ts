import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../create-folder.ts';
import { isSystemError } from '../system-files.ts';
import type { OpenBlob } from './blobs.ts';
import { openLocalFile, translateDiskError, writeNewFile } from './local-file.ts';

/** Local copies of remote objects. */
export interface ObjectCache {
  /**
   * Opens the copy of one version of an object, downloading it first if needed. The same object and version must always
   * have the same bytes. Concurrent calls share one download.
   */
  open(of: { object: string; version: string }, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<OpenBlob>;
  /**
   * Opens the most recently used copy of an object, for when its current version is unknown; undefined without a copy.
   */
  openLast(object: string): Promise<OpenBlob | undefined>;
}

const bytesMaxDefault = 10_000_000_000;
/** Scanning all copies is slow, so it is done only after this share of the limit has been added. */
const shareUnseen = 0.05;
const partialSuffix = '.partial';
// Far longer than a download: older files were left by a process that died.
const leftoverAgeMs = 24 * 60 * 60 * 1000;

/**
 * Creates a cache that removes the least recently used copies when their total exceeds `bytesMax`, or when the disk is
 * full. Open copies stay, because removing them would free no space.
 */
export async function openObjectCache(
  folder: string,
  isFirst: boolean,
  bytesMax = bytesMaxDefault,
): Promise<ObjectCache> {
  const downloads = new Map<string, Promise<void>>();
  const held = new HeldPaths();
  const unseenMax = bytesMax * shareUnseen;
  // Infinite at first, because the total of earlier processes' copies is unknown.
  let unseen = Number.POSITIVE_INFINITY;
  await prepareFolder(folder, isFirst);

  async function download(path: string, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
    const temporary = `${path}.${randomUUID()}${partialSuffix}`;
    try {
      // An operator may have deleted the folder to free space, as it contains only copies.
      await createFolder(folder);
      unseen += await writeWithRoom(temporary, get);
      // If the folder was deleted in the meantime, only a copy is lost: the next one is made.
      await rename(temporary, path).catch((error: unknown) => {
        if (!isSystemError(error, 'ENOENT')) throw error;
      });
      if (unseen <= unseenMax) return;
      unseen = 0;
      await removeUnused(folder, held, bytesMax - unseenMax);
    } catch (error) {
      throw translateDiskError(error, folder);
    }
  }

  /** On a full disk, removes half of the copies that are not open, and half of the rest, until the new copy fits. */
  async function writeWithRoom(path: string, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<number> {
    for (;;) {
      try {
        return await writeNewFile(path, await get());
      } catch (error) {
        if (!isSystemError(error, 'ENOSPC', 'EDQUOT') || !(await removeHalf(folder, held))) throw error;
      }
    }
  }

  async function openCopy(path: string, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<OpenBlob> {
    for (;;) {
      const present = await openIfPresent(path);
      if (present) return present;
      let running = downloads.get(path);
      if (!running) {
        running = download(path, get).finally(() => downloads.delete(path));
        downloads.set(path, running);
      }
      // If another process or thread has already evicted the copy, the loop tries again.
      await running;
    }
  }

  return {
    open({ object, version }, get) {
      const path = join(folder, `${startOf(object)}${digestOf(version)}`);
      return held.while(path, () => openCopy(path, get));
    },
    async openLast(object) {
      const path = await lastUsed(folder, startOf(object));
      return path === undefined ? undefined : held.while(path, () => openIfPresent(path));
    },
  };
}

/** Returns the common name prefix of all versions' copies of an object. */
function startOf(object: string): string {
  return `${digestOf(object)}-`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

/** The copies that are open here, or about to be opened. */
class HeldPaths {
  readonly #counts = new Map<string, number>();

  has(path: string): boolean {
    return this.#counts.has(path);
  }

  /** Holds a copy from before it is opened until it is closed. */
  async while<T extends OpenBlob | undefined>(path: string, open: () => Promise<T>): Promise<T> {
    const release = this.#hold(path);
    const blob = await open().catch((error: unknown) => {
      release();
      throw error;
    });
    if (blob !== undefined) return closing(blob, release) as T;
    release();
    return blob;
  }

  #hold(path: string): () => void {
    this.#counts.set(path, (this.#counts.get(path) ?? 0) + 1);
    return () => {
      const left = (this.#counts.get(path) ?? 1) - 1;
      if (left === 0) this.#counts.delete(path);
      else this.#counts.set(path, left);
    };
  }
}

function closing(blob: OpenBlob, release: () => void): OpenBlob {
  let isOpen = true;
  return {
    ...blob,
    close() {
      if (isOpen) release();
      isOpen = false;
      blob.close();
    },
  };
}

async function openIfPresent(path: string): Promise<OpenBlob | undefined> {
  try {
    const blob = openLocalFile(path);
    const now = new Date();
    await utimes(path, now, now).catch(() => undefined);
    return blob;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Removes half of the copies that are not open; returns false if there are none. */
async function removeHalf(folder: string, held: HeldPaths): Promise<boolean> {
  const closed = (await copiesIn(folder)).filter(({ path }) => !held.has(path));
  await removeOldest(closed, Math.floor(sizeOf(closed) / 2));
  return closed.length > 0;
}

async function removeUnused(folder: string, held: HeldPaths, bytesMax: number): Promise<void> {
  const copies = await copiesIn(folder);
  const closed = copies.filter(({ path }) => !held.has(path));
  await removeOldest(closed, bytesMax - (sizeOf(copies) - sizeOf(closed)));
}

async function prepareFolder(folder: string, isFirst: boolean): Promise<void> {
  try {
    await createFolder(folder);
    const begun = isFirst ? (await readdir(folder)).filter((name) => name.endsWith(partialSuffix)) : [];
    for (const name of begun) await rm(join(folder, name), { force: true });
  } catch (error) {
    throw translateDiskError(error, folder);
  }
}

interface Copy {
  path: string;
  size: number;
  usedAt: number;
}

async function copiesIn(folder: string, isWanted: (name: string) => boolean = () => true): Promise<Copy[]> {
  const copies: Copy[] = [];
  for (const name of (await readdir(folder)).filter(isWanted)) {
    const path = join(folder, name);
    const details = await stat(path).catch(() => undefined);
    if (!details) continue;
    if (!name.endsWith(partialSuffix)) copies.push({ path, size: details.size, usedAt: details.mtimeMs });
    else if (details.mtimeMs < Date.now() - leftoverAgeMs) await rm(path, { force: true });
  }
  return copies;
}

/** Returns the path of the most recently used copy whose name begins with `start`. */
async function lastUsed(folder: string, start: string): Promise<string | undefined> {
  const copies = await copiesIn(folder, (name) => name.startsWith(start)).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return [];
    throw translateDiskError(error, folder);
  });
  return copies.sort((a, b) => b.usedAt - a.usedAt)[0]?.path;
}

function sizeOf(copies: Copy[]): number {
  return copies.reduce((sum, { size }) => sum + size, 0);
}

async function removeOldest(copies: Copy[], bytesMax: number): Promise<void> {
  let total = sizeOf(copies);
  for (const { path, size } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= bytesMax) return;
    await rm(path, { force: true });
    total -= size;
  }
}
