import { readdir, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { type BlobSum, copyBlobs } from '#server/platform/blobs/copy-blobs.ts';
import { type BlobConfig, type Blobs, openBlobs } from '#server/platform/blobs/index.ts';
import { systemClock } from '#server/platform/clock.ts';
import type { Config } from '#server/platform/config/config.ts';
import { loadOrCreateSecret, prepareDataFolder, writePrivateFile } from '#server/platform/data-folder.ts';
import { acquireDataFolderLock } from '#server/platform/data-folder-lock.ts';
import type { TableSum } from '#server/platform/db/copy-rows.ts';
import type { Database, DatabaseConfig } from '#server/platform/db/database.ts';
import { isNew, isUpToDate, migrate } from '#server/platform/db/migrate.ts';
import { migrations } from '#server/platform/db/migrations.ts';
import {
  hasMoveMark,
  isListenedTo,
  moveRows,
  putMoveMark,
  readMoveMark,
  tablesInUse,
} from '#server/platform/db/move-mark.ts';
import { connectDatabase } from '#server/platform/db/open-database.ts';
import { serverOf } from '#server/platform/db/postgres-dialect.ts';
import { type TableShape, tablesOf } from '#server/platform/db/tables-of.ts';
import { erasureRecord } from '#server/platform/erasure-record.ts';
import { createFailPoint, type FailPoint } from '#server/platform/fail-point.ts';
import {
  adoptStore,
  compareStores,
  createClaim,
  endIncoming,
  isIncoming,
  markIncoming,
  readInstallationId,
  storeClaimable,
  storeRecordKey,
} from '#server/platform/store-claim.ts';
import { isThere, readText } from '#server/platform/system-files.ts';

type OpenedDatabase = Pick<Database, 'kind' | 'query'>;

export interface Moved {
  /** Sums by table; undefined if the rows stay in their database. */
  tables: Map<string, TableSum> | undefined;
  /** Undefined if the files stay where they are. */
  files: BlobSum | undefined;
}

/**
 * Copies an installation to the database and file store of another configuration, of any kind, without changing the old
 * ones. The new ones must be empty, or contain the remains of an earlier attempt. Files are copied first and compared
 * by hash; then all rows in one transaction, compared by number and checksum. Until then no server can open the new
 * database. No process may use either meanwhile. Throws MoveError, ConfigError, DataFolderError, DatabaseError or
 * BlobError. `tell` reports progress.
 */
export async function moveInstallation(from: Config, to: Config, tell: (what: string) => void): Promise<Moved> {
  const moves = { rows: !isSame(from.database, to.database), files: !isSame(placeOf(from.blobs), placeOf(to.blobs)) };
  if (!moves.rows && !moves.files) throw new MoveError('Rows and files are already in their new place.');
  await requireSource(from);
  const opened: (() => Promise<unknown>)[] = [];
  const isNewFolder = !(await isThere(to.dataFolder));
  let isBegun = false;
  try {
    await lockFolders([from.dataFolder, to.dataFolder], opened);
    const missing = await missingPlaces(to);
    opened.push(async () => (isBegun ? undefined : removeMade(to, missing, isNewFolder)));
    await requireSameSecret(from, to);
    const failPoint = from.failPoint === undefined ? undefined : createFailPoint(from.failPoint);
    const [source, blobs] = [connectDatabase(from.database), await openBlobs(from.blobs)];
    opened.push(() => source.close());
    await requireAtRest(source, from.database);
    // A process started meanwhile may have written data that was not copied.
    const confirm = (old: OpenedDatabase) => requireNobodyListens(old, from.database);
    const filesOf = (isResumed: boolean) => findFiles(blobs, to, { isResumed, failPoint, tell });
    if (!moves.rows) {
      const found = await filesOf(false);
      isBegun = true;
      const files = await copyFiles(blobs, found, () => confirm(source), tell);
      await claimTarget(source, to);
      return { tables: undefined, files };
    }
    const target = connectDatabase(to.database, undefined, failPoint);
    opened.push(() => target.close());
    const isResumed = await requireFree(source, target, to);
    const found = moves.files ? await filesOf(isResumed) : undefined;
    isBegun = true;
    const tables = await prepareTarget(source, target, to);
    const files = found && (await copyFiles(blobs, found, () => confirm(source), tell));
    await carrySecret(from, to);
    await carryErasures(from, to);
    tell(`Copying the rows of ${tables.length} tables…`);
    const sums = await moveRows(source, target, tables, confirm);
    if (moves.files) await claimTarget(target, to);
    return { tables: sums, files };
  } finally {
    for (const close of opened.reverse()) await close();
  }
}

/**
 * Returns the paths that opening the new place would create. Called under its lock: another process may have created
 * them before.
 */
async function missingPlaces({ database, blobs }: Config): Promise<string[]> {
  const files = database.kind === 'sqlite' ? ['', '-wal', '-shm'].map((ending) => database.file + ending) : [];
  const folders = blobs.kind === 'folder' ? [join(blobs.folder, '.incoming'), blobs.folder] : [blobs.cacheFolder];
  const places = [...files, ...folders];
  const there = await Promise.all(places.map(isThere));
  return places.filter((_, at) => there[at] === false);
}

/** Removes these paths if the move is refused, still under the lock; folders only if they are empty. */
async function removeMade({ dataFolder }: Config, missing: string[], isNewFolder: boolean): Promise<void> {
  for (const path of missing) await rm(path, { force: true }).catch(() => rmdir(path).catch(() => undefined));
  const left = isNewFolder ? await readdir(dataFolder) : [''];
  if (left.every((name) => name.startsWith('lock'))) await rm(dataFolder, { recursive: true });
}

async function requireSource({ database }: Config): Promise<void> {
  if (database.kind === 'postgres' || (await isThere(database.file))) return;
  throw new MoveError(`There is no installation to move: ${database.file} does not exist.`);
}

async function lockFolders(paths: string[], opened: (() => Promise<unknown>)[]): Promise<void> {
  for (const path of new Set(paths)) {
    const folder = await prepareDataFolder(path);
    const lock = await acquireDataFolderLock(folder.path, { purpose: '"lectern move"' });
    opened.push(() => lock.release());
  }
}

async function requireAtRest(source: Database, config: DatabaseConfig): Promise<void> {
  if (!(await isUpToDate(source, migrations))) {
    throw new MoveError('The database is older than this program. Start the server once to upgrade it, then stop it.');
  }
  if (await hasMoveMark(source.query)) {
    throw new MoveError(
      'An earlier move into the old database did not finish, so the database is incomplete and cannot be moved.',
    );
  }
  // PostgreSQL lists the connections of a process for a moment after its end.
  for (let tries = 0; tries < 10 && (await isListenedTo(source)); tries += 1) await setTimeout(100);
  await requireNobodyListens(source, config);
}

async function requireNobodyListens(database: OpenedDatabase, config: DatabaseConfig): Promise<void> {
  if (!(await isListenedTo(database))) return;
  throw new MoveError(
    `A server has the database ${nameOf(config)} open. Stop every process of the installation first.`,
  );
}

/**
 * Creates the tables together with a mark, so that no server mistakes an incomplete database for a new installation.
 */
async function prepareTarget(source: Database, target: Database, to: Config): Promise<TableShape[]> {
  await migrate(target, migrations, (tx) => putMoveMark(tx, ''));
  const tables = await tablesOf(target);
  requireSameTables(await tablesOf(source), tables);
  await target.transaction((tx) => putMoveMark(tx, markOf(to)));
  return tables;
}

/**
 * Returns true if an earlier attempt created the tables and began to copy files to the same place. Throws MoveError for
 * a database in use, and for tables and rows not created by an attempt. Read-only.
 */
async function requireFree(source: Database, target: Database, to: Config): Promise<boolean> {
  const config = to.database;
  await requireNobodyListens(target, config);
  if (await isNew(target)) {
    const [table] = await tablesOf(target);
    if (table !== undefined) throw notEmpty(config, [table.name]);
    return false;
  }
  const mark = await readMoveMark(target.query);
  if (mark !== undefined) return mark === markOf(to);
  if (!(await isUpToDate(target, migrations))) {
    throw new MoveError(`The database ${nameOf(config)} belongs to an older version of this program. Name a new one.`);
  }
  const used = await tablesInUse(target.query, await tablesOf(target));
  if (used.length === 0) return false;
  const [id, other] = [await readInstallationId(source), await readInstallationId(target)];
  if (id === undefined || id !== other) throw notEmpty(config, used);
  throw new MoveError(
    `The database ${nameOf(config)} already has this installation's rows: a move into it has finished, or it is a copy. Start the server with the new variables and check it with "lectern doctor --deep", or name a new database.`,
  );
}

function notEmpty(config: DatabaseConfig, tables: string[]): MoveError {
  return new MoveError(
    `The database ${nameOf(config)} is not empty (${tables.slice(0, 3).join(', ')}). Name a new one.`,
  );
}

function requireSameTables(source: TableShape[], target: TableShape[]): void {
  const shapes = (tables: TableShape[]) =>
    JSON.stringify(
      tables.map(({ name, columns, key }) => ({ name, columns, key })).sort((a, b) => (a.name < b.name ? -1 : 1)),
    );
  if (shapes(source) === shapes(target)) return;
  throw new MoveError('The two databases do not have the same tables, so nothing was moved.');
}

/** The files in the old place, and the new store, which only contains files of an earlier attempt. */
interface FoundFiles {
  known: Set<string>;
  target: Blobs;
}

async function findFiles(
  from: Blobs,
  to: Config,
  {
    isResumed,
    failPoint,
    tell,
  }: { isResumed: boolean; failPoint: FailPoint | undefined; tell: (what: string) => void },
): Promise<FoundFiles> {
  if (await isIncoming(from)) {
    throw new MoveError(
      'An earlier move into the old file store did not finish, so the store is incomplete and cannot be moved.',
    );
  }
  const target = await openBlobs(to.blobs, { failPoint });
  const whose = await compareStores(from, target);
  if (whose === 'other') {
    throw new MoveError('The new file store belongs to another installation. Name an empty one.');
  }
  const [known, there] = [new Set(await filesIn(from)), await filesIn(target)];
  const strange = there.filter((key) => !known.has(key));
  const [foreign] = whose === 'none' ? there : strange;
  if (foreign !== undefined && whose !== 'begun' && !(whose === 'same' && isResumed)) {
    throw new MoveError(`The new file store already has other files (${foreign}). Name an empty one.`);
  }
  // The file was deleted in the old place since an earlier attempt, or comes from elsewhere: a sweep can decide.
  for (const key of strange) tell(`The file ${key} is only in the new file store. It is kept.`);
  return { known, target };
}

/** Copies the files; `confirm` throws if a process may have changed the old place meanwhile. */
async function copyFiles(
  from: Blobs,
  { known, target }: FoundFiles,
  confirm: () => Promise<void>,
  tell: (what: string) => void,
): Promise<BlobSum> {
  await markIncoming(from, target);
  tell(`Copying ${known.size} files…`);
  const sum = await copyBlobs(from, target, known);
  const late = (await filesIn(from)).find((key) => !known.has(key));
  if (late !== undefined) {
    throw new MoveError(
      `The file ${late} was added to the old file store during the move. Stop every process of the installation, and run the move again.`,
    );
  }
  await confirm();
  await endIncoming(from, target);
  return sum;
}

async function filesIn(blobs: Blobs): Promise<string[]> {
  return (await blobs.list('')).filter((key) => key !== storeRecordKey);
}

/**
 * Claims the new files if a move gives a copied database a store of its own, whose record still names the first
 * database.
 */
async function claimTarget(db: Database, to: Config): Promise<void> {
  const blobs = await openBlobs(to.blobs);
  const claim = createClaim({ db, clock: systemClock }, storeClaimable(blobs, to.blobs));
  if ((await claim.standing()) === 'other') await adoptStore(db, claim, blobs, systemClock.now());
}

/** Returns the mark of a move into a database: where its files go. */
function markOf({ blobs }: Config): string {
  return JSON.stringify(placeOf(blobs));
}

/** Returns the fields that distinguish two stores; contains no secret. */
function placeOf(config: BlobConfig): Record<string, string> {
  if (config.kind === 'folder') return { kind: config.kind, folder: config.folder };
  const { kind, bucket, prefix, endpoint } = config;
  return { kind, bucket, prefix, endpoint: endpoint ?? '' };
}

function nameOf(config: DatabaseConfig): string {
  return config.kind === 'sqlite' ? config.file : serverOf(config.url);
}

function isSame(a: object, b: object): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

type Keys = readonly Uint8Array[];

/** Throws MoveError unless the other configuration can decrypt the secrets in the rows, or will be able to. */
async function requireSameSecret(from: Config, to: Config): Promise<void> {
  const [source, target] = [await keysOf(from), await keysOf(to)];
  if (source.length === 0) {
    throw new MoveError(`The file secret is missing in ${from.dataFolder}. Put it back, or set LECTERN_SECRET.`);
  }
  if (target.length === 0 && source.length === 1) return;
  const missing = source.filter((key) => !target.some((other) => Buffer.from(key).equals(other)));
  if (missing.length === 0) return;
  throw new MoveError(
    to.secrets === undefined
      ? `${to.dataFolder} has a different secret from the one that encrypted the rows. Set LECTERN_SECRET to its current value.`
      : `LECTERN_SECRET of the new configuration lacks the key that encrypted the rows. Add it after a comma: ${
          from.secrets === undefined ? `the text of ${secretFile(from)}` : 'the current LECTERN_SECRET'
        }.`,
  );
}

/** Writes the secret to the new data folder if the new configuration expects it there. */
async function carrySecret(from: Config, to: Config): Promise<void> {
  const [key] = await keysOf(from);
  if ((await keysOf(to)).length > 0 || key === undefined) return;
  await writePrivateFile(secretFile(to), `${Buffer.from(key).toString('hex')}\n`);
}

/** Copies the ids of deleted accounts to the new data folder, so that they stay deleted. */
async function carryErasures(from: Config, to: Config): Promise<void> {
  if (from.dataFolder === to.dataFolder) return;
  await erasureRecord(to.dataFolder).add(await erasureRecord(from.dataFolder).list());
}

async function keysOf(config: Config): Promise<Keys> {
  if (config.secrets !== undefined) return config.secrets;
  return (await readText(secretFile(config))) === undefined ? [] : [await loadOrCreateSecret(config.dataFolder)];
}

function secretFile({ dataFolder }: Config): string {
  return join(dataFolder, 'secret');
}

/** The reason why an installation cannot be moved, with what to do. */
class MoveError extends Error {
  override readonly name = 'MoveError';
}
