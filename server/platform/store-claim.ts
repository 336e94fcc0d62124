import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { BlobError, type Blobs } from './blobs/blobs.ts';
import type { Database } from './db/database.ts';

/** The blob that says whose the others are. */
export const storeRecordKey = 'installation.json';
const idName = 'installation-id';
const markPrefix = 'store-mark:';
const gapPrefix = 'store-gap:';
/** The store shows the last mark of any process; older ones tell nothing any more. */
const marksKept = 50;
/** The database and the store are marked one after the other, once a minute. */
const slackMs = 2 * 60_000;

const recordSchema = z.object({ id: z.string(), mark: z.string(), markedAt: z.number() });
type StoreRecord = z.output<typeof recordSchema>;

/** A time in which files were stored that this database, put back from a backup, does not know. Epoch milliseconds. */
export interface Gap {
  from: number;
  to: number;
}

export interface StoreParts {
  db: Pick<Database, 'query' | 'transaction'>;
  blobs: Blobs;
}

/**
 * Throws BlobError `foreign` unless files and rows are of one installation: the store says whose it is since it was first
 * used, and a store with files but without that word must at least be known to the rows. Changes nothing.
 */
export async function requireOwnStore(
  { db, blobs }: StoreParts,
  knowsFiles: () => Promise<boolean>,
): Promise<StoreRecord | undefined> {
  const record = await requireOwnRecord({ db, blobs });
  if (record !== undefined) return record;
  const [first] = await blobs.list('');
  if (first === undefined) return undefined;
  // Of several processes on an empty store, another may have claimed it since the first look.
  const claimed = await requireOwnRecord({ db, blobs });
  if (claimed !== undefined || (await knowsFiles())) return claimed;
  throw foreign(`The file store holds files (${first}) that this database does not know.`);
}

/** Returns what the store says of itself. Throws BlobError `foreign` if that names another installation. */
async function requireOwnRecord({ db, blobs }: StoreParts): Promise<StoreRecord | undefined> {
  // The record first: anyone who wrote it has created the id before.
  const [record, id] = [await readRecord(blobs), await readInstallationId(db)];
  if (record === undefined || record.id === id) return record;
  throw foreign(
    id === undefined
      ? `The file store belongs to installation ${record.id}, and this database to none: it is new or empty.`
      : `The file store belongs to installation ${record.id}, and this database to installation ${id}.`,
  );
}

/** What came of a claim. */
export interface Claimed {
  id: string;
  /** The store was marked by a database that knows more than this one: this one was put back from a backup. */
  isRestored: boolean;
}

/**
 * Makes the store this installation's, or finds that it is. Where the database is older than the store, as after the restore of a
 * backup, the time between is written down, since nothing stored in it may be deleted for lack of a row. Throws BlobError `foreign`.
 */
export async function claimStore(
  parts: StoreParts,
  { now, knowsFiles }: { now: number; knowsFiles: () => Promise<boolean> },
): Promise<Claimed> {
  const record = await requireOwnStore(parts, knowsFiles);
  const id = await createInstallationId(parts.db);
  const isRestored = record !== undefined && !(await isKnownMark(parts.db, markPrefix, record.mark));
  if (isRestored) {
    const from = (await lastMarkedAt(parts.db)) ?? 0;
    await writeSetting(parts.db, `${gapPrefix}${from}`, String(Math.max(record.markedAt, from)));
  }
  await mark(parts, { id, now });
  return { id, isRestored };
}

/**
 * Marks database and store once more. Returns false, and marks nothing, where the store shows a mark that this database
 * never made: another database, a copy of this one, works on the same files.
 */
export async function renewClaim(parts: StoreParts, { id, now }: { id: string; now: number }): Promise<boolean> {
  const record = await readRecord(parts.blobs);
  const isOurs = record === undefined || (record.id === id && (await isKnownMark(parts.db, markPrefix, record.mark)));
  if (isOurs) await mark(parts, { id, now });
  return isOurs;
}

/** Makes the store this database's, no matter who had it before: the operator says so. Returns the id of the installation. */
export async function adoptStore(parts: StoreParts, now: number): Promise<string> {
  const [record, id] = [await readRecord(parts.blobs), await createInstallationId(parts.db)];
  if (record !== undefined && record.id !== id) {
    // Nothing that is there by now may go only because these rows do not name it.
    await writeSetting(parts.db, `${gapPrefix}0`, String(now));
  }
  await mark(parts, { id, now });
  return id;
}

/** Times whose files are not to be deleted for lack of a row. */
export async function listGaps(db: StoreParts['db']): Promise<Gap[]> {
  const rows = await db.query.selectFrom('settings').selectAll().where('name', 'like', `${gapPrefix}%`).execute();
  return rows.map(({ name, value }) => ({
    from: Number(name.slice(gapPrefix.length)) - slackMs,
    to: Number(value) + slackMs,
  }));
}

/** The operator has looked at what was stored in those times. */
export async function forgetGaps(db: StoreParts['db']): Promise<void> {
  await db.query.deleteFrom('settings').where('name', 'like', `${gapPrefix}%`).execute();
}

/** Returns true if both stores say that they are of the same installation. */
export async function isSameStore(one: Blobs, other: Blobs): Promise<boolean> {
  const [record, otherRecord] = [await readRecord(one), await readRecord(other)];
  return record !== undefined && record.id === otherRecord?.id;
}

/** Has a store say whose it is before anything else is copied to it. */
export async function copyStoreRecord(from: Blobs, to: Blobs): Promise<void> {
  const record = await readRecord(from);
  if (record !== undefined) await to.put(storeRecordKey, Buffer.from(`${JSON.stringify(record)}\n`));
}

async function mark({ db, blobs }: StoreParts, { id, now }: { id: string; now: number }): Promise<void> {
  const made = randomUUID();
  // The database first: a mark that only the store had would be a stranger's.
  await addMark(db, markPrefix, { mark: made, now });
  await blobs.put(storeRecordKey, Buffer.from(`${JSON.stringify({ id, mark: made, markedAt: now })}\n`));
}

/** Writes down a mark that is about to be put on something outside of the database. */
export async function addMark(
  db: StoreParts['db'],
  prefix: string,
  { mark: made, now }: { mark: string; now: number },
): Promise<void> {
  await writeSetting(db, `${prefix}${made}`, String(now));
  const old = (await listMarks(db, prefix)).slice(marksKept).map(({ name }) => name);
  if (old.length > 0) await db.query.deleteFrom('settings').where('name', 'in', old).execute();
}

/** Newest first. */
async function listMarks(db: StoreParts['db'], prefix: string): Promise<{ name: string; markedAt: number }[]> {
  const rows = await db.query.selectFrom('settings').selectAll().where('name', 'like', `${prefix}%`).execute();
  return rows
    .map(({ name, value }) => ({ name, markedAt: Number(value) }))
    .sort((one, other) => other.markedAt - one.markedAt);
}

/** Returns false for a mark that this database never made: another database did, or this one was put back from a backup since. */
export async function isKnownMark(db: StoreParts['db'], prefix: string, given: string): Promise<boolean> {
  return (await readSetting(db, `${prefix}${given}`)) !== undefined;
}

async function lastMarkedAt(db: StoreParts['db']): Promise<number | undefined> {
  return (await listMarks(db, markPrefix))[0]?.markedAt;
}

async function readRecord(blobs: Blobs): Promise<StoreRecord | undefined> {
  if (!(await blobs.exists(storeRecordKey))) return undefined;
  const blob = await blobs.open(storeRecordKey);
  try {
    return recordSchema.parse(JSON.parse(Buffer.from(blob.read(0, blob.byteLength)).toString('utf8')));
  } catch (error) {
    throw new BlobError(
      'foreign',
      `The file ${storeRecordKey} of the file store, which says whose it is, is damaged. Put it back from a backup, or delete it.`,
      { cause: error },
    );
  } finally {
    blob.close();
  }
}

function foreign(found: string): BlobError {
  return new BlobError(
    'foreign',
    `${found} Nothing was changed. Name the database or the store that belongs together (DATABASE_URL, BLOB_STORE, --data); to bring an installation here, use "lectern move"; to keep these files for this database, run "lectern store adopt".`,
  );
}

/** Returns the id of the installation, which it gives the database if it has none. */
export async function createInstallationId(db: StoreParts['db']): Promise<string> {
  const made = JSON.stringify(randomUUID());
  await db.query
    .insertInto('settings')
    .values({ name: idName, value: made })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Of several first starts one wins, and all go by the same id.
  return JSON.parse((await readSetting(db, idName)) ?? made) as string;
}

export async function readInstallationId(db: StoreParts['db']): Promise<string | undefined> {
  const value = await readSetting(db, idName);
  return value === undefined ? undefined : (JSON.parse(value) as string);
}

async function readSetting(db: StoreParts['db'], name: string): Promise<string | undefined> {
  const row = await db.query.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

async function writeSetting(db: StoreParts['db'], name: string, value: string): Promise<void> {
  await db.query
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
