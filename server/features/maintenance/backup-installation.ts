import { existsSync } from 'node:fs';
import { constants, copyFile, link, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveError } from '#server/platform/archive/read-archive.ts';
import { type ArchivedFile, type ArchiveWriter, writeArchive } from '#server/platform/archive/write-archive.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { isSystemError } from '#server/platform/blobs/local-file.ts';
import { isInTrash } from '#server/platform/blobs/trash.ts';
import type { Config } from '#server/platform/config/config.ts';
import { isThere } from '#server/platform/data-folder.ts';
import { findHolder } from '#server/platform/data-folder-lock.ts';
import { isUpToDate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations/all.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { copySqliteFile } from '#server/platform/db/sqlite-file.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { storeRecordKey } from '#server/platform/store-claim.ts';
import {
  type BackupManifest,
  blobsFolderName,
  databaseName,
  erasuresName,
  manifestName,
  secretName,
} from './backup-manifest.ts';
import { isOptional, listNamedKeys } from './settle-store.ts';
import { beginBackup, removeLeftovers } from './unfinished-backups.ts';

/** A file that a refresh replaces right while the rows are copied is there in the next attempt. */
const attemptsMax = 3;

/** What was backed up. */
export interface Backup {
  files: number;
  /** Of the archive. */
  bytes: number;
  /** Files that rows name and that are not there; "doctor" tells about them too. */
  missing: string[];
  /** False where the secret is in LECTERN_SECRET and must be kept by the operator. */
  hasSecret: boolean;
}

/**
 * Writes everything of an installation in one folder into one archive, as of one moment, also while its server runs. The rows are
 * copied first into a folder of their own, and each file gets a second name there, so that nothing it refers to can be deleted
 * meanwhile. Throws ArchiveError, DatabaseError or BlobError.
 */
export async function backupInstallation(config: Config, file: string, now: number): Promise<Backup> {
  const { dataFolder, database, blobs } = config;
  if (database.kind !== 'sqlite' || blobs.kind !== 'folder') {
    throw new ArchiveError(
      'This command backs up a data folder. With DATABASE_URL or BLOB_STORE, back up with the commands in docs/operate/backup.md.',
    );
  }
  if (!(await isThere(database.file))) {
    throw new ArchiveError(
      `There is nothing to back up: ${database.file} does not exist. Name the data folder with --data.`,
    );
  }
  await removeLeftovers(dataFolder, dirname(file), now);
  const names = await beginBackup(dataFolder, dirname(file));
  const make = (staging: string) =>
    makeArchive(
      { databaseFile: database.file, blobFolder: blobs.folder, dataFolder, staging },
      { file, temporary: names.archive },
      now,
    );
  try {
    return await make(names.staging).catch((error: unknown) => {
      // Names of files cost next to nothing where the files are, but the copy of the rows may not fit in.
      if (!isDiskFull(error)) throw error;
      return make(names.stagingElsewhere);
    });
  } finally {
    await names.end();
  }
}

/** Gathers everything in the folder `staging`, and writes the archive. */
async function makeArchive(from: Places, to: { file: string; temporary: string }, now: number): Promise<Backup> {
  const { staging } = from;
  try {
    const missing = await stage(from);
    const hasSecret = existsSync(join(staging, secretName));
    let files = 0;
    const bytes = await writeArchive(to, now, async (archive) => {
      const added = await addStaged(archive, staging);
      files = added.length;
      const manifest: BackupManifest = { format: 1, version: productVersion, createdAt: now, missing, files: added };
      await archive.addText(manifestName, `${JSON.stringify(manifest)}\n`);
    });
    return { files, bytes, missing, hasSecret };
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

function isDiskFull(error: unknown): boolean {
  return isSystemError(error, 'ENOSPC', 'EDQUOT') || (error as { code?: unknown }).code === 'disk-full';
}

interface Places {
  databaseFile: string;
  blobFolder: string;
  dataFolder: string;
  staging: string;
}

/** Gathers what belongs together; returns the keys that rows name and that are nowhere. */
async function stage(places: Places): Promise<string[]> {
  for (let attempt = 1; ; attempt += 1) {
    await rm(places.staging, { recursive: true, force: true });
    await mkdir(places.staging, { mode: 0o700 });
    const missing = await attemptToStage(places);
    if (missing.length === 0 || attempt === attemptsMax) return missing;
  }
}

async function attemptToStage({ databaseFile, blobFolder, dataFolder, staging }: Places): Promise<string[]> {
  const blobs = await openBlobs({ kind: 'folder', folder: blobFolder });
  const target = (key: string) => join(staging, blobsFolderName, key);
  const keysNow = async () => (await blobs.list('')).filter((key) => !isInTrash(key));
  // Before the rows: the files they name are still there, regardless of later deletions.
  for (const key of await keysNow()) await linkFile(join(blobFolder, key), target(key));
  await copyRows({ databaseFile, dataFolder, staging });
  const named = new Set(await keysNamedBy(join(staging, databaseName)));
  const present = new Set(await keysNow());
  for (const key of present) {
    // The store's own record must not be newer than the rows: they know every mark that was in it before.
    if (key !== storeRecordKey) await linkFile(join(blobFolder, key), target(key));
  }
  const staged = new Set(await (await openBlobs({ kind: 'folder', folder: join(staging, blobsFolderName) })).list(''));
  for (const key of staged) {
    // Deleted since, and these rows do not name it: no one needs it any more.
    if (!present.has(key) && !named.has(key)) await rm(target(key), { force: true });
  }
  // The erasures last: who was deleted meanwhile is named by them.
  for (const name of [secretName, erasuresName]) await copyIfThere(join(dataFolder, name), join(staging, name));
  return [...named].filter((key) => !staged.has(key) && !isOptional(key));
}

/** On a full disk SQLite opens no file for itself: one that no process has open is copied as it is, and opened there. */
async function copyRows({ databaseFile, dataFolder, staging }: Omit<Places, 'blobFolder'>): Promise<void> {
  const target = join(staging, databaseName);
  if (staging.startsWith(join(dataFolder, '/')) || (await findHolder(dataFolder)) !== undefined) {
    return copySqliteFile(databaseFile, target);
  }
  for (const end of ['', '-wal']) await copyIfThere(databaseFile + end, target + end);
}

async function keysNamedBy(databaseFile: string): Promise<string[]> {
  const db = connectDatabase({ kind: 'sqlite', file: databaseFile });
  try {
    if (!(await isUpToDate(db, migrations))) {
      throw new ArchiveError(
        'The database is older than this program. Back up with the version that wrote it, or start this version once.',
      );
    }
    return await listNamedKeys({ db });
  } finally {
    await db.close();
  }
}

async function addStaged(archive: ArchiveWriter, staging: string): Promise<ArchivedFile[]> {
  const added: ArchivedFile[] = [];
  const blobFolder = join(staging, blobsFolderName);
  const keys = await (await openBlobs({ kind: 'folder', folder: blobFolder })).list('');
  for (const name of [databaseName, secretName, erasuresName]) {
    if (existsSync(join(staging, name))) added.push(await archive.add(name, join(staging, name)));
  }
  for (const key of keys) added.push(await archive.add(`${blobsFolderName}${key}`, join(blobFolder, key)));
  return added;
}

/** Gives a file a second name, so that it stays when the first is deleted. One that is gone already is passed over. */
async function linkFile(from: string, to: string): Promise<void> {
  try {
    if (await isSameFile(from, to)) return;
    await mkdir(dirname(to), { recursive: true });
    await rm(to, { force: true });
    await link(from, to);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    // A file system without links.
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV')) throw error;
    await copyIfThere(from, to);
  }
}

async function isSameFile(one: string, other: string): Promise<boolean> {
  const there = await stat(other).catch(() => undefined);
  return there !== undefined && there.ino === (await stat(one)).ino;
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch((error: unknown) => {
    if (!isSystemError(error, 'ENOENT')) throw error;
  });
}
