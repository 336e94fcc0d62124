import { randomUUID } from 'node:crypto';
import { readdir, rm, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createFolder } from '../create-folder.ts';
import { isSystemError } from '../system-files.ts';
import { type BlobEntry, BlobError, type Blobs, compareKeys, requireKey, requirePrefix } from './blobs.ts';
import { moveDurably, openLocalFile, translateDiskError, writeNewFile } from './local-file.ts';

// No key starts with a dot, so files in this folder are never listed.
const incomingName = '.incoming';

/** Stores each blob as a file below the folder, which is created if missing. Several processes may share it. */
export async function folderBlobs(folder: string, isFirst: boolean): Promise<Blobs> {
  const incoming = join(folder, incomingName);
  await translated(async () => {
    if (isFirst) await rm(incoming, { recursive: true, force: true });
    await createFolder(incoming);
  });
  const pathOf = (key: string) => {
    requireKey(key);
    return join(folder, ...key.split('/'));
  };

  const keysFrom = (prefix: string) => keysBelow(folder, prefix);

  async function translated<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw translateDiskError(error, folder);
    }
  }

  return {
    async put(key, content) {
      const path = pathOf(key);
      const temporary = join(incoming, randomUUID());
      return translated(async () => {
        const byteLength = await writeNewFile(temporary, content);
        try {
          await moveDurably(temporary, path);
        } catch (error) {
          await rm(temporary, { force: true });
          if (isSystemError(error, 'EEXIST', 'EISDIR', 'ENOTDIR', 'ENOTEMPTY')) throw keyInTheWay(key, error);
          throw error;
        }
        return byteLength;
      });
    },
    async open(key) {
      const path = pathOf(key);
      if (!(await isFile(path))) throw new BlobError('not-found', `There is no blob ${key}.`);
      return openLocalFile(path);
    },
    exists: async (key) => isFile(pathOf(key)),
    async delete(key) {
      const path = pathOf(key);
      await translated(() => removeFile(path));
      await removeEmptyFolders(folder, dirname(path));
      return true;
    },
    list: keysFrom,
    entries: async (prefix) => detailed(await keysFrom(prefix), pathOf),
    async move(from, to) {
      const [path, target] = [pathOf(from), pathOf(to)];
      if (!(await translated(() => moveIfThere(path, target)))) return false;
      await removeEmptyFolders(folder, dirname(path));
      return true;
    },
  };
}

/** Returns false if the file does not exist, for example because another process moved it first. */
async function moveIfThere(path: string, target: string): Promise<boolean> {
  if (!(await isFile(path))) return false;
  try {
    await moveDurably(path, target);
    return true;
  } catch (error) {
    if (await isFile(path)) throw error;
    return false;
  }
}

async function keysBelow(folder: string, prefix: string): Promise<string[]> {
  requirePrefix(prefix);
  const lastSlash = prefix.lastIndexOf('/') + 1;
  const keys = await filesBelow(folder, prefix.slice(0, lastSlash));
  return keys.filter((key) => key.startsWith(prefix)).sort(compareKeys);
}

async function detailed(keys: string[], pathOf: (key: string) => string): Promise<BlobEntry[]> {
  const entries: BlobEntry[] = [];
  for (const key of keys) {
    const details = await stat(pathOf(key)).catch(() => undefined);
    // Undefined if the file was deleted since it was listed.
    if (details !== undefined) entries.push({ key, byteLength: details.size, storedAt: details.mtimeMs });
  }
  return entries;
}

function keyInTheWay(key: string, cause: unknown): BlobError {
  return new BlobError('invalid-key', `"${key}" cannot name a blob: a part of it does, or it is part of one.`, {
    cause,
  });
}

async function removeFile(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    // A folder is not a blob; some systems return EPERM when deleting one.
    if (isSystemError(error, 'ENOENT', 'ENOTDIR', 'EISDIR')) return;
    if (isSystemError(error, 'EPERM') && !(await isFile(path))) return;
    throw error;
  }
}

async function isFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isFile();
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** `within` is empty or ends with a slash; returns full keys. */
async function filesBelow(folder: string, within: string): Promise<string[]> {
  const keys: string[] = [];
  const pending = [within];
  for (let path = pending.pop(); path !== undefined; path = pending.pop()) {
    for (const entry of await entriesOf(join(folder, path))) {
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) pending.push(`${path}${entry.name}/`);
      else if (entry.isFile()) keys.push(`${path}${entry.name}`);
    }
  }
  return keys;
}

async function entriesOf(path: string) {
  try {
    return await readdir(path, { withFileTypes: true });
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return [];
    throw error;
  }
}

async function removeEmptyFolders(root: string, from: string): Promise<void> {
  for (let folder = from; folder !== root; folder = dirname(folder)) {
    try {
      await rmdir(folder);
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) continue;
      return;
    }
  }
}
