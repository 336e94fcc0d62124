import { mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

// Enough for deletions beside, which may take an empty folder away while one is made in it.
const attemptsMax = 10;

/**
 * Creates the folder (an absolute path) and those above it that are missing; answers the topmost new one, undefined
 * when there was nothing to do. Throws the system's error; ENOTDIR when something else is in the way.
 *
 * Node's own recursive mkdir never ends where a folder exists and yet nothing can be made in it for lack of an entry:
 * /proc answers ENOENT, which it takes for a missing parent, over and over.
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
      const wasRemovedBeside = codeOf(error) === 'ENOENT' && (await missingFolders(path)).length > 1;
      if (!wasRemovedBeside || attempts === attemptsMax) throw error;
    }
  }
}

/** From the top down. */
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
    if (codeOf(error) === 'ENOENT') return false;
    throw error;
  }
  throw Object.assign(new Error(`ENOTDIR: not a directory, mkdir '${path}'`), { code: 'ENOTDIR' });
}

async function makeOne(folder: string, mode: number): Promise<void> {
  try {
    await mkdir(folder, { mode });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    // Someone was faster; what is not a folder, such as a link to nowhere, stays in the way.
    if (!(await isFolder(folder))) throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
