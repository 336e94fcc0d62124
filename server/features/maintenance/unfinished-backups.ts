import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { holdFolder, isHeld } from '#server/platform/data-folder-lock.ts';

/** Far above the time a backup takes: an older one was left by a process that died. */
const leftoverMs = 24 * 60 * 60_000;
const unfinishedName = /^\.lectern-backup-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.tar|\.staged)?$/;
const archiveEnd = '.tar';
const stagedEnd = '.staged';
/** In a backup's own folder: names the folder of its archive. Made once the lock is held. */
const targetName = 'target';

/** Where a backup puts what is not finished. All of it begins with one name. */
interface UnfinishedBackup {
  archive: string;
  staging: string;
  /** Beside the archive, for when the data folder has no room. */
  stagingElsewhere: string;
  end(): Promise<void>;
}

/**
 * Makes the folder of one backup in the data folder. A lock in it ends with the process: the next backup sees by it that this one
 * was killed, and not merely that it takes long.
 */
export async function beginBackup(dataFolder: string, target: string): Promise<UnfinishedBackup> {
  const name = `.lectern-backup-${randomUUID()}`;
  const folder = join(dataFolder, name);
  // On a disk that is full or read-only it goes without: what this one leaves is then removed by its age.
  const release = await mark(folder, target).catch(() => undefined);
  const stagingElsewhere = join(target, name + stagedEnd);
  return {
    archive: join(target, name + archiveEnd),
    staging: release === undefined ? stagingElsewhere : join(folder, 'staged'),
    stagingElsewhere,
    async end() {
      await removeIfPossible(folder);
      release?.();
    },
  };
}

async function mark(folder: string, target: string): Promise<() => void> {
  await mkdir(folder, { mode: 0o700 });
  const release = await holdFolder(folder);
  await symlink(target, join(folder, targetName));
  return release;
}

async function unfinishedIn(folder: string): Promise<string[]> {
  // Writing reports a folder that is missing.
  return (await readdir(folder).catch(() => [])).filter((name) => unfinishedName.test(name));
}

/** Removes what killed backups of this data folder left, wherever they wrote, and what anyone left in these folders a day ago. */
export async function removeLeftovers(dataFolder: string, target: string, now: number): Promise<void> {
  for (const name of await unfinishedIn(dataFolder)) {
    const written = await readlink(join(dataFolder, name, targetName)).catch(() => undefined);
    // Without it, the lock may not be held yet.
    if (written === undefined || isHeld(join(dataFolder, name))) continue;
    for (const end of [archiveEnd, stagedEnd]) await removeIfPossible(join(written, name + end));
    await removeIfPossible(join(dataFolder, name));
  }
  for (const folder of [dataFolder, target]) {
    for (const name of await unfinishedIn(folder)) {
      const path = join(folder, name);
      const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }));
      if (mtimeMs < now - leftoverMs && !isHeld(path)) await removeIfPossible(path);
    }
  }
}

/** What cannot be removed, as on a read-only disk, is no reason to make no backup. */
async function removeIfPossible(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
