import { setImmediate } from 'node:timers/promises';
import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row, Workspace } from '#server/platform/db/schema.ts';

export type ProfileRow = Row<'profiles'>;
export type PinRow = Row<'profilePins'>;
export type Owner = Exclude<Workspace, 'public'>;

/** SQLite accepts 32,766 values per statement; a pin has eight. */
const pinsAtOnce = 1_000;
const namesAtOnce = 10_000;

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

/**
 * Returns a project's pins by name, then ecosystem and version. Other requests are served before and after: a project
 * can have tens of thousands.
 */
export async function listPins(db: Queries, profileId: string): Promise<PinRow[]> {
  await setImmediate();
  const pins = await db
    .selectFrom('profilePins')
    .selectAll()
    .where('profileId', '=', profileId)
    .orderBy('name')
    .orderBy('ecosystem')
    .orderBy('version')
    .execute();
  await setImmediate();
  return pins;
}

/** Returns the pins with one of these names in these projects. */
export async function findPins(db: Queries, profileIds: string[], matchNames: string[]): Promise<PinRow[]> {
  const found: PinRow[] = [];
  for (let at = 0; at < matchNames.length; at += namesAtOnce) {
    const rows = await db
      .selectFrom('profilePins')
      .selectAll()
      .where('profileId', 'in', profileIds)
      .where('matchName', 'in', matchNames.slice(at, at + namesAtOnce))
      .execute();
    found.push(...rows);
  }
  return found;
}

export async function countPins(db: Queries, profileId: string): Promise<number> {
  const { count } = await db
    .selectFrom('profilePins')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('profileId', '=', profileId)
    .executeTakeFirstOrThrow();
  return count;
}

export async function listDirectPins(db: Queries, profileId: string): Promise<Pick<PinRow, 'matchName' | 'version'>[]> {
  return db
    .selectFrom('profilePins')
    .select(['matchName', 'version'])
    .where('profileId', '=', profileId)
    .where('isDirect', '=', 1)
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
