import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../create-folder.ts';
import type { OpenBlob } from './blobs.ts';
import { isSystemError, openLocalFile, translateDiskError, writeNewFile } from './local-file.ts';

/** Local copies of objects that are kept elsewhere. */
export interface ObjectCache {
  /**
   * Opens the copy of one version of an object, getting it first when there is none. The same object and version must always
   * mean the same bytes. Asked twice at once, it gets the object once.
   */
  open(of: { object: string; version: string }, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<OpenBlob>;
  /** Opens the copy of an object that was used last, where no one can tell which version it has; undefined when there is none. */
  openLast(object: string): Promise<OpenBlob | undefined>;
}

const bytesMaxDefault = 10_000_000_000;
/** Looking at all copies takes the longer the more there are: it is done when so much of the limit has come in addition. */
const shareUnseen = 0.05;
const partialSuffix = '.partial';
// Far above the time a download takes: what is older was left by a process that died.
const leftoverAgeMs = 24 * 60 * 60 * 1000;

/**
 * Copies used least recently are removed when all of them exceed `bytesMax`, and when the disk has no room for another one. Those
 * that are open stay: removing them would free nothing.
 */
export async function openObjectCache(
  folder: string,
  isFirst: boolean,
  bytesMax = bytesMaxDefault,
): Promise<ObjectCache> {
  const downloads = new Map<string, Promise<void>>();
  const held = new HeldPaths();
  const unseenMax = bytesMax * shareUnseen;
  // What an earlier process left is not known.
  let unseen = Number.POSITIVE_INFINITY;
  await prepareFolder(folder, isFirst);

  async function download(path: string, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
    const temporary = `${path}.${randomUUID()}${partialSuffix}`;
    try {
      // An operator may have deleted the folder to free space: it holds copies only.
      await createFolder(folder);
      unseen += await writeWithRoom(temporary, get);
      // Someone who deleted it meanwhile has deleted no more than a copy: the next one is made.
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

  /** On a full disk half of the copies that are not open make room, and half of the rest, until the new one fits. */
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
      // Not there after all when another process or thread has pushed it out again: then once more.
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

/** Names of copies of all versions of an object begin with it. */
function startOf(object: string): string {
  return `${digestOf(object)}-`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 40);
}

/** Which copies are open here, or about to be. */
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

/** Of the copies that are not open; false when there was none. */
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

/** Path of the copy that was used last, of those whose names begin so. */
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
