import { open, readFile, stat } from 'node:fs/promises';

/** Returns the code of an operating system error, such as `ENOENT`; empty for other errors. */
export function systemCodeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}

/** Returns true for an operating system error with one of these codes. */
export function isSystemError(error: unknown, ...codes: string[]): boolean {
  return codes.includes(systemCodeOf(error));
}

/** Returns true if a process with this id exists. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // The process exists, but belongs to another user.
    return isSystemError(error, 'EPERM');
  }
}

/** Returns true if a file exists. Throws if access is denied, because then its existence is unknown. */
export async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (isSystemError(error, 'ENOENT', 'ENOTDIR')) return false;
    throw error;
  }
}

/** Returns the text of a file; undefined if it does not exist. */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Writes a new file for its owner only and syncs it to disk. */
export async function writeSynced(file: string, content: Uint8Array | string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder survive a power failure. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
