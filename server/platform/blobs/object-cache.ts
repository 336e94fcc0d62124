import { createHash, randomUUID } from 'node:crypto';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../create-folder.ts';
import type { OpenBlob } from './blobs.ts';
import { isSystemError, openLocalFile, translateDiskError, writeNewFile } from './local-file.ts';

/** Local copies of objects that are kept elsewhere. */
export interface ObjectCache {
  /**
   * Opens the copy of one version of an object, getting it first when there is none. `identity` names the version: the
   * same identity must always mean the same bytes. Asked twice at once, it gets the object once.
   */
  open(identity: string, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<OpenBlob>;
}

const bytesMaxDefault = 10_000_000_000;
const partialSuffix = '.partial';
// Far above the time a download takes: what is older was left by a process that died.
const leftoverAgeMs = 24 * 60 * 60 * 1000;

/** Copies used least recently are removed when all of them exceed `bytesMax`; those that are open stay readable. */
export async function openObjectCache(folder: string, bytesMax = bytesMaxDefault): Promise<ObjectCache> {
  const downloads = new Map<string, Promise<void>>();
  try {
    await createFolder(folder);
  } catch (error) {
    throw translateDiskError(error, folder);
  }

  async function download(path: string, get: () => Promise<AsyncIterable<Uint8Array>>): Promise<void> {
    const temporary = `${path}.${randomUUID()}${partialSuffix}`;
    try {
      await writeNewFile(temporary, await get());
      await rename(temporary, path);
      await removeUnused(folder, bytesMax, path);
    } catch (error) {
      throw translateDiskError(error, folder);
    }
  }

  return {
    async open(identity, get) {
      const path = join(folder, createHash('sha256').update(identity).digest('hex'));
      for (;;) {
        const present = await openIfPresent(path);
        if (present) return present;
        let running = downloads.get(path);
        if (!running) {
          running = download(path, get).finally(() => downloads.delete(path));
          downloads.set(path, running);
        }
        // Not there after all when other downloads have pushed it out again: then once more.
        await running;
      }
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

async function removeUnused(folder: string, bytesMax: number, keep: string): Promise<void> {
  const copies: { path: string; size: number; usedAt: number }[] = [];
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const details = await stat(path).catch(() => undefined);
    if (!details) continue;
    if (!name.endsWith(partialSuffix)) copies.push({ path, size: details.size, usedAt: details.mtimeMs });
    else if (details.mtimeMs < Date.now() - leftoverAgeMs) await rm(path, { force: true });
  }
  let total = copies.reduce((sum, copy) => sum + copy.size, 0);
  for (const copy of copies.sort((a, b) => a.usedAt - b.usedAt)) {
    if (total <= bytesMax) return;
    if (copy.path === keep) continue;
    await rm(copy.path, { force: true });
    total -= copy.size;
  }
}
