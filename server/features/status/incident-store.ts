import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type IncidentRow = Row<'incidents'>;
export type UpdateRow = Row<'incidentUpdates'>;

export async function insertIncident(tx: Transaction, row: NewRow<'incidents'>): Promise<IncidentRow> {
  return tx.insertInto('incidents').values(row).returningAll().executeTakeFirstOrThrow();
}

/** Locks the row until the transaction ends, so that changes of an incident are serialized. */
export async function holdIncident(tx: Transaction, incidentId: string): Promise<IncidentRow | undefined> {
  return tx
    .updateTable('incidents')
    .set((expression) => ({ updatedAt: expression.ref('updatedAt') }))
    .where('id', '=', incidentId)
    .returningAll()
    .executeTakeFirst();
}

export async function changeIncident(
  tx: Transaction,
  incidentId: string,
  change: Partial<NewRow<'incidents'>>,
): Promise<IncidentRow> {
  return tx.updateTable('incidents').set(change).where('id', '=', incidentId).returningAll().executeTakeFirstOrThrow();
}

/** Appends an update; the incident's row must be locked. */
export async function addUpdate(tx: Transaction, row: Omit<NewRow<'incidentUpdates'>, 'position'>): Promise<void> {
  const last = await tx
    .selectFrom('incidentUpdates')
    .select('position')
    .where('incidentId', '=', row.incidentId)
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  await tx
    .insertInto('incidentUpdates')
    .values({ ...row, position: (last?.position ?? -1) + 1 })
    .execute();
}

/** Returns incidents that began or are planned after `since`, or are ongoing; newest first. */
export async function listIncidentRows(db: Queries, since: number, count: number): Promise<IncidentRow[]> {
  return db
    .selectFrom('incidents')
    .selectAll()
    .where((where) => where.or([where('startsAt', '>=', since), where('state', '!=', 'resolved')]))
    .orderBy('startsAt', 'desc')
    .orderBy('id')
    .limit(count)
    .execute();
}

/** Returns ongoing incidents, newest first. */
export async function listOpenRows(db: Queries, count: number): Promise<IncidentRow[]> {
  return db
    .selectFrom('incidents')
    .selectAll()
    .where('state', '!=', 'resolved')
    .orderBy('startsAt', 'desc')
    .orderBy('id')
    .limit(count)
    .execute();
}

/** Returns updates, newest first. */
export async function listUpdates(db: Queries, incidentIds: string[]): Promise<UpdateRow[]> {
  if (incidentIds.length === 0) return [];
  return db
    .selectFrom('incidentUpdates')
    .selectAll()
    .where('incidentId', 'in', incidentIds)
    .orderBy('position', 'desc')
    .execute();
}
