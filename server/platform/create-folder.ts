import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from './system-files.ts';

// Enough for concurrent deletions, which may remove an empty folder while another is created in it.
const attemptsMax = 10;

/**
 * Creates the folder (an absolute path) and its missing parents. Returns the topmost new folder, or undefined if
 * nothing was missing. Throws the system's error; ENOTDIR if something else is in the way.
 *
 * Node's recursive mkdir never returns if a folder exists but nothing can be created in it for lack of an entry: /proc
 * returns ENOENT, which mkdir takes for a missing parent, again and again.
 */
export async function createFolder(path: string, mode = 0o777): Promise<string | undefined> {
  let topmostNew: string | undefined;
  for (let attempts = 1; ; attempts++) {
    try {
      for (const folder of await missingFolders(path)) {
        await makeOne(folder, mode);
        topmostNew ??= folder;
      }
      return topmostNew;
    } catch (error) {
      const wasRemovedBeside = isSystemError(error, 'ENOENT') && (await missingFolders(path)).length > 1;
      if (!wasRemovedBeside || attempts === attemptsMax) throw error;
    }
  }
}

/** Returns the missing folders, topmost first. */
async function missingFolders(path: string): Promise<string[]> {
  const missing: string[] = [];
  for (let folder = path; !(await isFolder(folder)); folder = dirname(folder)) {
    missing.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  return missing;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' });
}

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    // Another process may have created it; anything but a folder, such as a dangling link, is still in the way.
    if (!(await isFolder(folder))) throw error;
  }
}
