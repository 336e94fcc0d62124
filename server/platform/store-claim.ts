import { randomUUID } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { z } from 'zod';
import { type BlobConfig, BlobError, type Blobs } from './blobs/blobs.ts';
import type { Clock } from './clock.ts';
import type { Database } from './db/database.ts';

/** The blob that names the store's owner. */
export const storeRecordKey = 'installation.json';
const idName = 'installation-id';
const gapPrefix = 'store-gap:';
/** Most marks to keep: enough for the latest mark of every process; older ones are obsolete. */
const marksKept = 500;
/** Database and store are marked once a minute, one after the other. */
export const markEveryMs = 60_000;
const slackMs = 2 * markEveryMs;
/** After this time, a running owner has marked its store again. */
const waitMs = 2 * markEveryMs;
/** How long the result of `isOwn` is cached. */
const knownForMs = 1_000;

const recordSchema = z.object({
  id: z.string(),
  mark: z.string(),
  /** True while an installation's files are being moved here. */
  isIncoming: z.boolean().default(false),
});

/**
 * A period whose stored files this database does not know, because it was restored from a backup. Epoch milliseconds.
 */
export interface Gap {
  from: number;
  to: number;
}

/** The owner named in a store or cluster. */
export interface Holder {
  /** The installation's id. */
  installation: string;
  /** Renewed every minute: a database without this mark is not the one that uses the store. */
  mark: string;
  /** True while files are being moved here and not all have arrived. */
  isIncoming?: boolean;
}

/** A resource that several databases could be configured to use by mistake. */
export interface Claimable {
  name: 'store' | 'cluster';
  /** Returns an id that differs between the resource and its copies. */
  place?(): Promise<string>;
  readHolder(): Promise<Holder | undefined>;
  writeHolder(holder: Holder): Promise<void>;
}

/**
 * `unclaimed`: has no owner; `own`: belongs to this database; `other`: belongs to another installation, is used by
 * another copy of this database, or this database was restored from a backup; `unsure`: the database has moved and the
 * store has not, so the database was moved or is a copy.
 */
export type Standing = 'unclaimed' | 'own' | 'unsure' | 'other';

/** A database's claim to a store or a cluster. Nothing may be deleted there unless the claim is `own`. */
export interface Claim {
  standing(): Promise<Standing>;
  /** Returns true for the standing `own`; cached briefly. */
  isOwn(): Promise<boolean>;
  /**
   * Renews the mark once a minute if the resource is this database's own, or if it was unsure and no one else has
   * marked it since this process started.
   */
  renew(): Promise<Standing>;
  /** Claims the resource for this database, regardless of its previous owner. */
  take(): Promise<void>;
}

export function createClaim(
  { db, clock }: { db: ClaimingDatabase; clock: Pick<Clock, 'now'> },
  { name, readHolder, writeHolder, place }: Claimable,
): Claim {
  const openedAt = clock.now();
  let markedAt = Number.NEGATIVE_INFINITY;
  let known: { isOwn: Promise<boolean>; until: number } | undefined;
  const places = async () => [await db.place(), (await place?.()) ?? ''];
  const standing = async (): Promise<Standing> => {
    // Read the holder first: its writer had created the id before.
    const holder = await readHolder();
    if (holder === undefined) return 'unclaimed';
    if (holder.isIncoming) return 'other';
    if (holder.installation !== (await readInstallationId(db))) return 'other';
    if ((await readSetting(db, `${markPrefixOf(name)}${holder.mark}`)) === undefined) return 'other';
    const [before, now] = [await readSetting(db, `${name}-place`), await places()];
    const [database, files] = JSON.parse(before ?? '[]') as string[];
    // If files and rows were copied together, the other database still has the originals.
    return database === now[0] || (before !== undefined && files !== now[1]) ? 'own' : 'unsure';
  };
  const take = async () => {
    const mark = randomUUID();
    // Write to the database first: a mark found only in the store would count as another owner's.
    await writeSetting(db, `${name}-place`, JSON.stringify(await places()));
    await addMark(db, markPrefixOf(name), { mark, now: clock.now() });
    await writeHolder({ installation: await createInstallationId(db), mark });
    markedAt = clock.now();
    known = undefined;
  };
  return {
    standing,
    take,
    isOwn() {
      if (known === undefined || performance.now() >= known.until) {
        known = { isOwn: standing().then((found) => found === 'own'), until: performance.now() + knownForMs };
      }
      return known.isOwn;
    },
    async renew() {
      const found = await standing();
      const isSilent = found === 'unsure' && clock.now() - openedAt >= waitMs;
      if (found !== 'own' && !isSilent) return found;
      if (isSilent || Math.abs(clock.now() - markedAt) >= markEveryMs - 10_000) await take();
      return 'own';
    },
  };
}

type ClaimingDatabase = Pick<Database, 'query' | 'place'>;
type Settings = Pick<Database, 'query'>;

const markPrefixOf = (name: Claimable['name']) => `${name}-mark:`;

/** Creates the claimable for a file store. */
export function storeClaimable(blobs: Blobs, config: BlobConfig): Claimable {
  return {
    name: 'store',
    place: async () => {
      if (config.kind === 's3') return `${config.bucket}/${config.prefix}`;
      return String((await stat(config.folder, { bigint: true })).ino);
    },
    readHolder: () => readRecord(blobs),
    writeHolder: (holder) => writeRecord(blobs, holder),
  };
}

async function writeRecord(
  blobs: Blobs,
  { installation: id, mark }: Holder,
  more: { isIncoming?: true } = {},
): Promise<void> {
  await blobs.put(storeRecordKey, Buffer.from(`${JSON.stringify({ id, mark, ...more })}\n`));
}

/**
 * Throws BlobError `foreign` unless files and rows belong to the same installation, which the store records on first
 * use. Accepts a store without that record if a row names one of its files, or if both are empty. Changes nothing.
 */
export async function requireOwnStore(
  { db, blobs }: { db: ClaimingDatabase; blobs: Blobs },
  listNamed: () => Promise<string[]>,
): Promise<void> {
  if (await isOfInstallation({ db, blobs })) return;
  const [stored, named] = [new Set(await blobs.list('')), await listNamed()];
  const [first] = stored;
  if (named.some((key) => stored.has(key)) || (first === undefined && named.length === 0)) return;
  // With several processes on an empty store, another may have claimed it since the first check.
  if (await isOfInstallation({ db, blobs })) return;
  throw foreign(
    first === undefined
      ? `The file store is empty, and this database names files that are elsewhere or lost (${named[0]}).`
      : `The file store holds files (${first}) that this database does not know.`,
  );
}

/** Throws BlobError `foreign` for a store with an unfinished move into it. */
export async function requireArrived(blobs: Blobs): Promise<void> {
  if (await isIncoming(blobs)) {
    throw new BlobError(
      'foreign',
      'A move into this file store did not finish. Nothing was changed. Run "lectern move" again. To give up, start the old installation, which is unchanged.',
    );
  }
}

/** Returns false if the store names no owner. Throws BlobError `foreign` if it names another installation. */
async function isOfInstallation({ db, blobs }: { db: ClaimingDatabase; blobs: Blobs }): Promise<boolean> {
  await requireArrived(blobs);
  const [record, id] = [await readRecord(blobs), await readInstallationId(db)];
  if (record === undefined || record.installation === id) return record !== undefined;
  throw foreign(
    id === undefined
      ? `The file store belongs to installation ${record.installation}, but this database belongs to none: it is new or empty.`
      : `The file store belongs to installation ${record.installation}, but this database to installation ${id}.`,
  );
}

/**
 * Assigns the store to this database at the operator's request, even if another database had it before. Files stored
 * while this database did not use the store are kept until the operator removes them.
 */
export async function adoptStore(db: ClaimingDatabase, claim: Claim, blobs: Blobs, now: number): Promise<void> {
  const isOlder = (await claim.standing()) === 'other';
  const isSame = (await readRecord(blobs))?.installation === (await readInstallationId(db));
  const from = isSame ? await lastMarkedAt(db) : 0;
  if (isOlder) await writeSetting(db, `${gapPrefix}${from}`, String(Math.max(now, from)));
  await claim.take();
}

/** Returns the periods whose files must not be deleted for lack of a row. */
export async function listGaps(db: Settings): Promise<Gap[]> {
  const rows = await db.query.selectFrom('settings').selectAll().where('name', 'like', `${gapPrefix}%`).execute();
  return rows.map(({ name, value }) => ({
    from: Number(name.slice(gapPrefix.length)) - slackMs,
    to: Number(value) + slackMs,
  }));
}

/** Forgets the periods, once the operator has reviewed the files stored in them. */
export async function forgetGaps(db: Settings): Promise<void> {
  await db.query.deleteFrom('settings').where('name', 'like', `${gapPrefix}%`).execute();
}

/** Returns true if a move into the store is unfinished. */
export async function isIncoming(blobs: Blobs): Promise<boolean> {
  return (await readRecord(blobs))?.isIncoming === true;
}

/** Marks a store as the destination of a move, before the first file is copied. */
export async function markIncoming(from: Blobs, to: Blobs): Promise<void> {
  await writeRecord(to, (await readRecord(from)) ?? noHolder, { isIncoming: true });
}

/** Ends a move once all files have arrived: copies the owner record of the source store. */
export async function endIncoming(from: Blobs, to: Blobs): Promise<void> {
  const record = await readRecord(from);
  if (record === undefined) await to.delete(storeRecordKey);
  else await writeRecord(to, record);
}

/** Compares the owner of a store with that of a move's source: `begun` if a move did not finish. */
export async function compareStores(from: Blobs, to: Blobs): Promise<'none' | 'same' | 'begun' | 'other'> {
  const [{ installation }, record] = [(await readRecord(from)) ?? noHolder, await readRecord(to)];
  if (record === undefined) return 'none';
  if (record.installation !== installation) return 'other';
  return record.isIncoming ? 'begun' : 'same';
}

/** For a store that no server has used. */
const noHolder: Holder = { installation: '', mark: '' };

async function addMark(db: Settings, prefix: string, { mark, now }: { mark: string; now: number }): Promise<void> {
  await writeSetting(db, `${prefix}${mark}`, String(now));
  const old = (await listMarks(db, prefix)).slice(marksKept).map(({ name }) => name);
  if (old.length > 0) await db.query.deleteFrom('settings').where('name', 'in', old).execute();
}

/** Newest first. */
async function listMarks(db: Settings, prefix: string): Promise<{ name: string; markedAt: number }[]> {
  const rows = await db.query.selectFrom('settings').selectAll().where('name', 'like', `${prefix}%`).execute();
  return rows
    .map(({ name, value }) => ({ name, markedAt: Number(value) }))
    .sort((one, other) => other.markedAt - one.markedAt);
}

async function lastMarkedAt(db: Settings): Promise<number> {
  return (await listMarks(db, markPrefixOf('store')))[0]?.markedAt ?? 0;
}

async function readRecord(blobs: Blobs): Promise<(Holder & { isIncoming: boolean }) | undefined> {
  if (!(await blobs.exists(storeRecordKey))) return undefined;
  const blob = await blobs.open(storeRecordKey);
  try {
    const text = Buffer.from(blob.read(0, blob.byteLength)).toString('utf8');
    const { id: installation, ...record } = recordSchema.parse(JSON.parse(text));
    return { installation, ...record };
  } catch (error) {
    throw new BlobError(
      'foreign',
      `The file ${storeRecordKey} , which records the file store's owner, is damaged. Restore it from a backup, or delete it.`,
      { cause: error },
    );
  } finally {
    blob.close();
  }
}

function foreign(found: string): BlobError {
  return new BlobError(
    'foreign',
    `${found} Nothing was changed. Use a database and a store that belong together (DATABASE_URL, BLOB_STORE, --data); to bring an installation here, use "lectern move"; to keep these files for this database, run "lectern store adopt".`,
  );
}

/** Returns the installation's id; creates one if the database has none. */
export async function createInstallationId(db: Settings): Promise<string> {
  const made = JSON.stringify(randomUUID());
  await db.query
    .insertInto('settings')
    .values({ name: idName, value: made })
    .onConflict((conflict) => conflict.column('name').doNothing())
    .execute();
  // Of several concurrent first starts one wins, and all use its id.
  return JSON.parse((await readSetting(db, idName)) ?? made) as string;
}

export async function readInstallationId(db: Settings): Promise<string | undefined> {
  const value = await readSetting(db, idName);
  return value === undefined ? undefined : (JSON.parse(value) as string);
}

async function readSetting(db: Settings, name: string): Promise<string | undefined> {
  const row = await db.query.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst();
  return row?.value;
}

async function writeSetting(db: Settings, name: string, value: string): Promise<void> {
  await db.query
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute();
}
