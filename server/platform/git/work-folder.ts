import { randomBytes } from 'node:crypto';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createFolder } from '../create-folder.ts';
import { isRunning, isSystemError } from '../system-files.ts';

/** A bare repository that is deleted after the work. */
export interface WorkFolder {
  path: string;
  /** Path of the repository in the folder. */
  repository: string;
  /** Returns the total bytes of its files. */
  bytes(): Promise<number>;
  /** Removes git's changes to the repository's configuration. */
  resetSettings(): Promise<void>;
  /** Resets to an empty repository. */
  empty(): Promise<void>;
  remove(): Promise<void>;
}

const settings = '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';

/** Creates the folder below `parent`, accessible only to its owner. Its name contains the pid of the process. */
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

/** Matches names from `makeWorkFolder`: a pid and random bytes. */
const workFolderName = /^\d+-[0-9a-f]{16}$/;

/** Removes work folders of dead processes below `parent`. Keeps everything else, which was not created here. */
export async function sweepWorkFolders(parent: string): Promise<void> {
  for (const name of await namesIn(parent)) {
    if (!workFolderName.test(name)) continue;
    const pid = Number.parseInt(name, 10);
    // A folder with our pid that exists before we create one belongs to an earlier process.
    const isInUse = pid !== process.pid && isRunning(pid);
    if (!isInUse) await rm(join(parent, name), { recursive: true, force: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await namesIn(folder)) {
    try {
      const found = await stat(join(folder, name));
      sum += found.isDirectory() ? await bytesIn(join(folder, name)) : found.size;
    } catch (error) {
      // Temporary files may disappear in the meantime.
      if (!isSystemError(error, 'ENOENT')) throw error;
    }
  }
  return sum;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return [];
    throw error;
  }
}
