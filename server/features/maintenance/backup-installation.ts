import { existsSync } from 'node:fs';
import { constants, copyFile, link, mkdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveError } from '#server/platform/archive/read-archive.ts';
import { type ArchivedFile, type ArchiveWriter, writeArchive } from '#server/platform/archive/write-archive.ts';
import { openBlobs } from '#server/platform/blobs/index.ts';
import { isInTrash } from '#server/platform/blobs/trash.ts';
import type { Config } from '#server/platform/config/config.ts';
import { findHolder } from '#server/platform/data-folder-lock.ts';
import { isUpToDate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { copySqliteFile } from '#server/platform/db/sqlite-file.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { storeRecordKey } from '#server/platform/store-claim.ts';
import { isSystemError, isThere } from '#server/platform/system-files.ts';
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

/** A file replaced by a refresh while the rows are copied is found in the next attempt. */
const attemptsMax = 3;

export interface Backup {
  files: number;
  /** Size of the archive. */
  bytes: number;
  /** Files that rows refer to but that are missing; "doctor" reports them too. */
  missing: string[];
  /** False if the secret is in LECTERN_SECRET, which the operator must keep. */
  hasSecret: boolean;
}

/**
 * Writes a whole installation in a data folder into one archive, as of one moment, even while its server is running.
 * The rows are copied first into a staging folder, and each file is hard-linked there, so that none they refer to can
 * be deleted meanwhile. Throws ArchiveError, DatabaseError or BlobError.
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
      // Hard links need almost no space in the data folder, but the copy of the rows may not fit.
      if (!isDiskFull(error)) throw error;
      return make(names.stagingElsewhere);
    });
  } finally {
    await names.end();
  }
}

/** Stages everything in the folder `staging`, and writes the archive. */
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

/** Stages a consistent set of files; returns the keys that rows refer to but that are missing. */
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
  // Before the rows: the files they refer to then stay available, regardless of later deletions.
  for (const key of await keysNow()) await linkFile(join(blobFolder, key), target(key));
  await copyRows({ databaseFile, dataFolder, staging });
  const named = new Set(await keysNamedBy(join(staging, databaseName)));
  const present = new Set(await keysNow());
  for (const key of present) {
    // The store's own record must not be newer than the rows, which know every mark it contained before.
    if (key !== storeRecordKey) await linkFile(join(blobFolder, key), target(key));
  }
  const staged = new Set(await (await openBlobs({ kind: 'folder', folder: join(staging, blobsFolderName) })).list(''));
  for (const key of staged) {
    // Deleted since, and not referenced by these rows: no longer needed.
    if (!present.has(key) && !named.has(key)) await rm(target(key), { force: true });
  }
  // The erasures come last, so that they include accounts deleted meanwhile.
  for (const name of [secretName, erasuresName]) await copyIfThere(join(dataFolder, name), join(staging, name));
  return [...named].filter((key) => !staged.has(key) && !isOptional(key));
}

/**
 * On a full disk SQLite cannot open its files: a database that no process has open is copied as plain files, and opened
 * there.
 */
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

/** Hard-links a file, so that it stays when the original is deleted. A file that is already gone is skipped. */
async function linkFile(from: string, to: string): Promise<void> {
  try {
    if (await isSameFile(from, to)) return;
    await mkdir(dirname(to), { recursive: true });
    await rm(to, { force: true });
    await link(from, to);
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return;
    // The file system does not support links.
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
