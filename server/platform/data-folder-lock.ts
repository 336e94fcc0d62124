import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { DataFolderError, type Holder, removeMomentary, writePrivateFile } from './data-folder.ts';
import { isRunning, readText } from './system-files.ts';

/** The right to run jobs on a data folder. Ends with the process, even if it crashes. */
export interface DataFolderLock {
  /** Announces the port this process listens on. */
  setPort(port: number): Promise<void>;
  release(): Promise<void>;
}

// Long enough for another process's brief check (`findHolder`) to end.
const attemptsMax = 20;
const pauseMs = 25;
const busyResult = 5;

/**
 * Takes the folder's only lock, or throws DataFolderError `in-use`, which names the process that holds it.
 *
 * The operating system holds the lock, through SQLite's locking of the file `lock`: it is released at once when the
 * holder dies, and a new process with the same pid is not mistaken for the holder. The file `lock.json` only names the
 * holder. Nothing else may open `lock`: closing it anywhere in this process would release the lock.
 */
export async function acquireDataFolderLock(
  folderPath: string,
  { purpose, port }: { purpose: string; port?: number },
): Promise<DataFolderLock> {
  const handle = await takeLock(folderPath);
  const holderFile = join(folderPath, 'lock.json');
  const announce = (holder: Holder) => writePrivateFile(holderFile, `${JSON.stringify(holder)}\n`);
  try {
    await removeMomentary(folderPath);
    await announce({ pid: process.pid, purpose, ...(port === undefined ? {} : { port }) });
  } catch (error) {
    handle.close();
    throw error;
  }
  return {
    setPort: (newPort) => announce({ pid: process.pid, purpose, port: newPort }),
    async release() {
      if (!handle.isOpen) return;
      await rm(holderFile, { force: true });
      handle.close();
    },
  };
}

/** Returns the current holder of the folder's lock; undefined if it is free. Creates nothing. */
export async function findHolder(folderPath: string): Promise<Holder | undefined> {
  return isHeld(folderPath) ? readHolder(folderPath) : undefined;
}

/** Returns true while a process holds the folder's lock. */
export function isHeld(folderPath: string): boolean {
  const file = join(folderPath, 'lock');
  if (!existsSync(file)) return false;
  const handle = new DatabaseSync(file, { timeout: 0, readOnly: true });
  try {
    handle.prepare('select count(*) from sqlite_schema').get();
    return false;
  } catch (error) {
    if (!isBusy(error)) throw error;
    return true;
  } finally {
    handle.close();
  }
}

/** Takes the folder's lock without naming the holder; returns the function that releases it. Throws DataFolderError. */
export async function holdFolder(folderPath: string): Promise<() => void> {
  const handle = await takeLock(folderPath);
  return () => handle.close();
}

async function takeLock(folderPath: string): Promise<DatabaseSync> {
  const handle = openLockFile(folderPath);
  for (let attempts = 1; ; attempts++) {
    try {
      handle.exec('begin exclusive');
      return handle;
    } catch (error) {
      if (!isBusy(error)) {
        handle.close();
        throw notWritable(folderPath, error);
      }
    }
    if (attempts === attemptsMax) {
      handle.close();
      throw inUse(folderPath, await readHolder(folderPath));
    }
    await delay(pauseMs);
  }
}

function openLockFile(folderPath: string): DatabaseSync {
  try {
    return new DatabaseSync(join(folderPath, 'lock'), { timeout: 0 });
  } catch (error) {
    throw notWritable(folderPath, error);
  }
}

/** Retries, because `lock.json` is missing until the new holder has written it, and may be left from a dead holder. */
async function readHolder(folderPath: string): Promise<Holder> {
  for (let attempts = 1; attempts <= attemptsMax; attempts++) {
    const text = await readText(join(folderPath, 'lock.json'));
    const holder = text === undefined ? undefined : (JSON.parse(text) as Holder);
    if (holder && isRunning(holder.pid)) return holder;
    await delay(pauseMs);
  }
  return { pid: 0, purpose: 'another process' };
}

function inUse(folderPath: string, holder: Holder): DataFolderError {
  const details = [
    ...(holder.pid > 0 ? [`process ${holder.pid}`] : []),
    ...(holder.port === undefined ? [] : [`port ${holder.port}`]),
  ];
  const who = details.length > 0 ? `${holder.purpose} (${details.join(', ')})` : holder.purpose;
  return new DataFolderError(
    'in-use',
    `The data folder ${folderPath} is in use by ${who}. Stop it first, or choose another folder with --data.`,
    { holder },
  );
}

function notWritable(folderPath: string, cause: unknown): DataFolderError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new DataFolderError(
    'not-writable',
    `The data folder ${folderPath} cannot be locked (${reason}). Give this user write access, or choose another with --data.`,
    { cause },
  );
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && (Number(error.errcode) & 0xff) === busyResult;
}
