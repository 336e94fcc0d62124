import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { holdFolder, isHeld } from '#server/platform/data-folder-lock.ts';

/** Far longer than a backup takes: an older one was left by a process that died. */
const leftoverMs = 24 * 60 * 60_000;
const unfinishedName = /^\.lectern-backup-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\.tar|\.staged)?$/;
const archiveEnd = '.tar';
const stagedEnd = '.staged';
/** Link in a backup's own folder to the folder of its archive. Created once the lock is held. */
const targetName = 'target';

/** The paths of an unfinished backup, all with the same base name. */
interface UnfinishedBackup {
  archive: string;
  staging: string;
  /** Beside the archive, used if the data folder has no room. */
  stagingElsewhere: string;
  end(): Promise<void>;
}

/**
 * Creates a backup's folder in the data folder. Its lock ends with the process, so that the next backup can distinguish
 * a killed backup from a slow one.
 */
export async function beginBackup(dataFolder: string, target: string): Promise<UnfinishedBackup> {
  const name = `.lectern-backup-${randomUUID()}`;
  const folder = join(dataFolder, name);
  // On a full or read-only disk there is no folder: the remains are then removed by age.
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
  // A missing folder is reported when writing to it.
  return (await readdir(folder).catch(() => [])).filter((name) => unfinishedName.test(name));
}

/**
 * Removes the remains of killed backups of this data folder, wherever they are, and any remains in these folders older
 * than a day.
 */
export async function removeLeftovers(dataFolder: string, target: string, now: number): Promise<void> {
  for (const name of await unfinishedIn(dataFolder)) {
    const written = await readlink(join(dataFolder, name, targetName)).catch(() => undefined);
    // Without the link, the lock may not be held yet.
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

/** Failing to remove a file, for example on a read-only disk, must not prevent a backup. */
async function removeIfPossible(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch(() => undefined);
}
