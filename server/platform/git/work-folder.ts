import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../create-folder.ts';

/** A bare repository of our own that is gone when the work is done. */
export interface WorkFolder {
  path: string;
  /** Path of the repository in it. */
  repository: string;
  /** Bytes of all files in it. */
  bytes(): Promise<number>;
  /** Forgets what git wrote into the settings of the repository. */
  resetSettings(): Promise<void>;
  /** Begins with an empty repository again. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

const settings = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';

/** Makes the folder below `parent`, for the owner alone. Its name holds the process that works in it. */
export async function makeWorkFolder(parent: string): Promise<WorkFolder> {
  await createFolder(parent, 0o700);
  const path = join(parent, `${process.pid}-${randomBytes(8).toString('hex')}`);
  const repository = join(path, 'repository');
  const resetSettings = () => writeFile(join(repository, 'config'), settings);
  const fill = async () => {
    for (const folder of ['objects', 'refs']) await mkdir(join(repository, folder), { recursive: true, mode: 0o700 });
    await writeFile(join(repository, 'HEAD'), 'ref: refs/heads/none\n');
    await resetSettings();
  };
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  await mkdir(path, { mode: 0o700 });
  try {
    await fill();
  } catch (error) {
    await remove();
    throw error;
  }
  return {
    ...{ path, repository, resetSettings, remove },
    bytes: () => bytesIn(path),
    async empty() {
      await rm(repository, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
      await fill();
    },
  };
}

/** As `makeWorkFolder` names them: a process and random bytes. */
const workFolderName = /^\d+-[0-9a-f]{16}$/;

/** Removes the work folders below `parent` of processes that are gone. Everything else there stays: it was not made here. */
export async function sweepWorkFolders(parent: string): Promise<void> {
  for (const name of await namesIn(parent)) {
    if (!workFolderName.test(name)) continue;
    const pid = Number.parseInt(name, 10);
    // A folder with our own number that is there before we made one is of an earlier process.
    const isInUse = pid !== process.pid && isRunning(pid);
    if (!isInUse) await rm(join(parent, name), { recursive: true, force: true });
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === 'EPERM';
  }
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await namesIn(folder)) {
    try {
      const found = await stat(join(folder, name));
      sum += found.isDirectory() ? await bytesIn(join(folder, name)) : found.size;
    } catch (error) {
      // Temporary files come and go.
      if (codeOf(error) !== 'ENOENT') throw error;
    }
  }
  return sum;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return [];
    throw error;
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : '';
}
