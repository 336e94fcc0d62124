import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ArchiveError, hashEntry, listArchive, type ReadEntry } from '#server/platform/archive/read-archive.ts';
import { requireKey } from '#server/platform/blobs/blobs.ts';
import { moveDurably, writeNewFile } from '#server/platform/blobs/local-file.ts';
import type { Config } from '#server/platform/config/config.ts';
import { isMomentary, loadOrCreateSecret, prepareDataFolder, restoreName } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import { checkDatabase } from '#server/platform/db/check-database.ts';
import { isUpToDate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { isThere, syncFolder } from '#server/platform/system-files.ts';
import {
  type BackupManifest,
  blobsFolderName,
  databaseName,
  erasuresName,
  manifestName,
  manifestSchema,
  secretName,
} from './backup-manifest.ts';
import { countSealed, unopenedIn } from './renew-secrets.ts';

/** Files allowed in an empty folder: the lock, remains of an interrupted restore, and those a file system creates. */
const passedOver = new Set(['lock', 'lock-journal', 'lock.json', restoreName, 'lost+found']);
/** Files that a restore moves into place before the rows. */
const givenNames = [secretName, erasuresName, 'blobs'];
const manifestBytesMax = 512 * 1024 * 1024;

export interface Restored {
  files: number;
  /** Epoch milliseconds at which the backup was made; `version` is the program version that made it. */
  createdAt: number;
  version: string;
  missing: string[];
  /** Secrets that the key does not open, such as `2 API keys`: it was already lost when the backup was made. */
  unopened: string[];
}

/**
 * Restores a backup into an empty data folder. The whole archive is verified before anything is written, and the rows
 * are moved into place last: after an interruption the folder still counts as empty, or "start" refuses it. Throws
 * ArchiveError, DatabaseError or DataFolderError.
 */
export async function restoreInstallation(config: Config, file: string): Promise<Restored> {
  const { dataFolder, database, blobs } = config;
  if (database.kind !== 'sqlite' || blobs.kind !== 'folder') {
    throw new ArchiveError(
      'A backup is restored to a data folder. Run this without DATABASE_URL and BLOB_STORE, then move the installation with "lectern move".',
    );
  }
  await requireEmpty(dataFolder);
  const { manifest, entries } = await checkArchive(file);
  if (!entries.some(({ name }) => name === secretName) && config.secrets === undefined) {
    throw new ArchiveError(
      'This installation had its secret in LECTERN_SECRET. Set it as it was when the backup was made.',
    );
  }
  const isNewFolder = !(await isThere(dataFolder));
  const folder = await prepareDataFolder(dataFolder);
  const lock = await acquireDataFolderLock(folder.path, { purpose: '"lectern restore"' });
  let unopened: string[] = [];
  try {
    await requireEmpty(folder.path);
    const staging = join(folder.path, restoreName);
    // The rows are moved last, so files already in place come from an interrupted restore.
    const given = existsSync(staging) ? givenNames : [];
    for (const name of [...given, restoreName]) await rm(join(folder.path, name), { recursive: true, force: true });
    await mkdir(staging, { mode: 0o700 });
    try {
      for (const entry of entries) await extract(entry, staging);
      unopened = await checkRows(join(staging, databaseName), staging, config.secrets);
      await giveNames(staging, folder.path);
    } finally {
      await rm(staging, { recursive: true, force: true });
    }
  } catch (error) {
    const isBare = async () => (await readdir(folder.path)).every((name) => name.startsWith('lock'));
    // Still under the lock, so that no other process uses the folder.
    if (isNewFolder && (await isBare())) await rm(folder.path, { recursive: true });
    throw error;
  } finally {
    await lock.release();
  }
  const { createdAt, version, missing } = manifest;
  return { files: entries.length, createdAt, version, missing, unopened };
}

/** Reads the whole archive and compares each file with the manifest. */
async function checkArchive(file: string): Promise<{ manifest: BackupManifest; entries: ReadEntry[] }> {
  const entries = await listArchive(file);
  const last = entries.pop();
  const manifest = last?.name === manifestName ? await readManifest(last) : undefined;
  if (manifest === undefined) {
    throw new ArchiveError(`${file} is not a backup from this program, or is from a newer version. Use another file.`);
  }
  const said = new Map(manifest.files.map((entry) => [entry.name, entry]));
  for (const entry of entries) {
    requireName(file, entry.name);
    const expected = said.get(entry.name);
    if (expected?.byteLength !== entry.byteLength || expected.sha256 !== (await hashEntry(entry))) {
      throw damaged(file, entry.name);
    }
    said.delete(entry.name);
  }
  const [absent] = said.keys();
  if (absent !== undefined) throw damaged(file, absent);
  if (!entries.some(({ name }) => name === databaseName)) throw damaged(file, databaseName);
  return { manifest, entries };
}

async function readManifest(entry: ReadEntry): Promise<BackupManifest | undefined> {
  if (entry.byteLength > manifestBytesMax) return undefined;
  const pieces: Buffer[] = [];
  for await (const piece of entry.content()) pieces.push(piece);
  try {
    return manifestSchema.safeParse(JSON.parse(Buffer.concat(pieces).toString('utf8'))).data;
  } catch {
    // Not JSON: the archive is not a backup.
    return undefined;
  }
}

/** Throws for names outside of the folder, which a foreign archive could contain. */
function requireName(file: string, name: string): void {
  if ([databaseName, secretName, erasuresName].includes(name)) return;
  try {
    // Names outside of that folder are not valid keys.
    requireKey(name.startsWith(blobsFolderName) ? name.slice(blobsFolderName.length) : '');
  } catch {
    throw damaged(file, name);
  }
}

async function requireEmpty(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const names = await readdir(folder);
  const isCutOff = names.includes(restoreName) && !names.includes(databaseName);
  const isPassedOver = (name: string) =>
    passedOver.has(name) || isMomentary(name) || (isCutOff && givenNames.includes(name));
  const found = names.find((name) => !isPassedOver(name));
  if (found === undefined) return;
  throw new ArchiveError(
    `The data folder ${folder} is not empty (${found}). Name an empty one with --data, or move this one away.`,
  );
}

function damaged(file: string, name: string): ArchiveError {
  return new ArchiveError(`${file} is damaged (${name}). Nothing was restored; use another copy of the backup.`);
}

async function extract(entry: ReadEntry, staging: string): Promise<void> {
  const target = join(staging, entry.name);
  await mkdir(dirname(target), { recursive: true, mode: 0o700 });
  await writeNewFile(target, entry.content());
  await chmod(target, 0o600);
}

/**
 * Returns the secrets that the key does not open. Throws ArchiveError if the database is damaged, or LECTERN_SECRET
 * opens nothing.
 */
async function checkRows(databaseFile: string, staging: string, secrets: Config['secrets']): Promise<string[]> {
  const db = connectDatabase({ kind: 'sqlite', file: databaseFile });
  try {
    // Throws if a newer program has changed the rows; older ones are migrated at the start.
    const isCurrent = await isUpToDate(db, migrations);
    const [fault] = await checkDatabase(db);
    if (fault !== undefined) throw new ArchiveError(`The database in the backup is damaged: ${fault}.`);
    if (!isCurrent) return [];
    const counts = await countSealed({ db }, secrets ?? [await loadOrCreateSecret(staging)]);
    const unopened = unopenedIn(counts);
    const opensNone = Object.values(counts).every(({ current, former }) => current + former === 0);
    // With the archive's own secret there is no better one to ask for.
    if (secrets !== undefined && unopened.length > 0 && opensNone) {
      throw new ArchiveError(
        'LECTERN_SECRET is not the one that the stored secrets were encrypted with. Set it as it was when the backup was made.',
      );
    }
    return unopened;
  } finally {
    await db.close();
  }
}

/** Moves the rows into place last: without them "start" refuses the files. */
async function giveNames(staging: string, folder: string): Promise<void> {
  const names = [secretName, erasuresName].filter((name) => existsSync(join(staging, name)));
  for (const name of names) await moveDurably(join(staging, name), join(folder, name));
  if (existsSync(join(staging, 'blobs'))) await rename(join(staging, 'blobs'), join(folder, 'blobs'));
  await moveDurably(join(staging, databaseName), join(folder, databaseName));
  await syncFolder(folder);
}
