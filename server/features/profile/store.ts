import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import { ecosystemSchema } from '#contract/profile.ts';
import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row, Workspace } from '#server/platform/db/schema.ts';

export type ProfileRow = Row<'profiles'>;
export type PinRow = Row<'profilePins'>;
export type Owner = Exclude<Workspace, 'public'>;

/** SQLite accepts 32,766 values per statement; a pin has nine. */
const pinsAtOnce = 1_000;
const namesAtOnce = 10_000;
const namesExceptedMax = 30_000;

/** Inserts the row unless one with the name exists; in both cases locks it until the transaction ends. */
export async function ensureProfile(tx: Transaction, row: NewRow<'profiles'>): Promise<ProfileRow> {
  return tx
    .insertInto('profiles')
    .values(row)
    .onConflict((conflict) => conflict.columns(['workspace', 'name']).doUpdateSet({ name: row.name }))
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function updateProfile(tx: Transaction, id: string, change: Partial<ProfileRow>): Promise<ProfileRow> {
  return tx.updateTable('profiles').set(change).where('id', '=', id).returningAll().executeTakeFirstOrThrow();
}

export async function countProfiles(tx: Transaction, workspace: Owner): Promise<number> {
  const { count } = await tx
    .selectFrom('profiles')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace', '=', workspace)
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns the projects, last updated first. */
export async function listProfileRows(db: Queries, workspace: Owner): Promise<ProfileRow[]> {
  return profilesOf(db, { workspace });
}

const profilesOf = builtOnce((db, { workspace }: { workspace: Owner }) =>
  db.selectFrom('profiles').selectAll().where('workspace', '=', workspace).orderBy('updatedAt', 'desc').orderBy('name'),
);

export async function findProfile(db: Queries, workspace: Owner, profileId: string): Promise<ProfileRow | undefined> {
  return db
    .selectFrom('profiles')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', profileId)
    .executeTakeFirst();
}

/** Deletes a project with its pins and returns its row; undefined if it was already deleted. */
export async function deleteProfile(tx: Transaction, workspace: Owner, id: string): Promise<ProfileRow | undefined> {
  return tx
    .deleteFrom('profiles')
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteProfiles(tx: Transaction, workspace: Owner): Promise<void> {
  await tx.deleteFrom('profiles').where('workspace', '=', workspace).execute();
}

/** Moves projects to another workspace, except those whose name is taken there. */
export async function moveProfileRows(tx: Transaction, from: Owner, to: Owner): Promise<void> {
  const taken = tx.selectFrom('profiles').select('name').where('workspace', '=', to);
  await tx
    .updateTable('profiles')
    .set({ workspace: to })
    .where('workspace', '=', from)
    .where('name', 'not in', taken)
    .execute();
}

/** Replaces a project's pins. Other requests are served between two statements. */
export async function replacePins(tx: Transaction, profileId: string, pins: NewRow<'profilePins'>[]): Promise<void> {
  await tx.deleteFrom('profilePins').where('profileId', '=', profileId).execute();
  for (let at = 0; at < pins.length; at += pinsAtOnce) {
    await setImmediate();
    await tx
      .insertInto('profilePins')
      .values(pins.slice(at, at + pinsAtOnce))
      .execute();
  }
}

/** Which of a project's pins to list. */
export interface WantedPins {
  profileId: string;
  isDirect: boolean;
  /** Only those whose name contains this text. */
  words: string;
  /** Except those with one of these match names. */
  without: string[];
}

/** Returns the number of these pins. */
export async function countPins(db: Queries, wanted: WantedPins): Promise<number> {
  const { count } = await pinsOf(db, wanted)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

/** Returns some of these pins: direct dependencies first, and of those the runtime ones first, then by name. */
export async function listPins(
  db: Queries,
  wanted: WantedPins,
  { offset, limit }: { offset: number; limit: number },
): Promise<PinRow[]> {
  return pinsOf(db, wanted)
    .selectAll()
    .orderBy('isDirect', 'desc')
    .orderBy('isDev')
    .orderBy('name')
    .orderBy('ecosystem')
    .orderBy('version')
    .offset(offset)
    .limit(limit)
    .execute();
}

function pinsOf(db: Queries, { profileId, isDirect, words, without }: WantedPins) {
  const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
  return (
    db
      .selectFrom('profilePins')
      .where('profileId', '=', profileId)
      .$if(isDirect, (query) => query.where('isDirect', '=', 1))
      // The databases change only the case of ASCII letters.
      .$if(words !== '', (query) =>
        query.where(sql<boolean>`(lower(name) like ${pattern} escape '\\' or match_name like ${pattern} escape '\\')`),
      )
      .$if(without.length > 0, (query) => query.where('matchName', 'not in', without.slice(0, namesExceptedMax)))
  );
}

/**
 * Returns those of the names that a project pins, with the number of direct dependencies of each. Returns also other
 * names of a project that has fewer pins than there are names.
 */
export async function findPinnedNames(
  db: Queries,
  { id, libraryCount }: Pick<ProfileRow, 'id' | 'libraryCount'>,
  names: string[],
): Promise<Map<string, number>> {
  const pinned = new Map<string, number>();
  const portions = libraryCount < names.length ? [undefined] : portionsOf(names);
  for (const portion of portions) {
    // A call can read many projects.
    await setImmediate();
    const rows = await db
      .selectFrom('profilePins')
      .select(({ fn }) => ['matchName', fn.sum<number>('isDirect').as('direct')])
      .where('profileId', '=', id)
      .$if(portion !== undefined, (query) => query.where('matchName', 'in', portion ?? []))
      .groupBy('matchName')
      .execute();
    for (const { matchName, direct } of rows) pinned.set(matchName, Number(direct));
  }
  return pinned;
}

/** Returns for each of the names and projects the pin that searches use; several if earlier versions stored them. */
export async function findPins(db: Queries, profileIds: string[], matchNames: string[]): Promise<PinRow[]> {
  const found: PinRow[] = [];
  for (const names of portionsOf(matchNames)) {
    const rows = await db
      .selectFrom('profilePins')
      .selectAll()
      .where('profileId', 'in', profileIds)
      .where('matchName', 'in', names)
      .where('isPassedOver', '=', 0)
      .execute();
    found.push(...rows);
  }
  return found;
}

function portionsOf(names: string[]): string[][] {
  return Array.from({ length: Math.ceil(names.length / namesAtOnce) }, (_, at) =>
    names.slice(at * namesAtOnce, (at + 1) * namesAtOnce),
  );
}

/** Returns a project's pins with these names. */
export async function findPinsNamed(db: Queries, profileId: string, names: string[]): Promise<PinRow[]> {
  return db
    .selectFrom('profilePins')
    .selectAll()
    .where('profileId', '=', profileId)
    .where('ecosystem', 'in', ecosystemSchema.options)
    .where('name', 'in', names)
    .execute();
}

/** Stores the run that was started for a pinned library. */
export async function setPinJob(
  tx: Transaction,
  profileId: string,
  pin: { ecosystem: string; name: string; version: string },
  jobId: string,
): Promise<void> {
  await tx
    .updateTable('profilePins')
    .set({ jobId })
    .where('profileId', '=', profileId)
    .where('ecosystem', '=', pin.ecosystem)
    .where('name', '=', pin.name)
    .where('version', '=', pin.version)
    .execute();
}
