import type { Workspace } from '#server/context.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type RequestRow = Row<'indexRequests'>;

/** Inserts a request; undefined if one for this address is pending. */
export async function insertRequest(tx: Transaction, row: NewRow<'indexRequests'>): Promise<RequestRow | undefined> {
  return tx
    .insertInto('indexRequests')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Returns the newest request for an address. */
export async function findLastRequest(
  db: Queries,
  workspace: Workspace,
  address: string,
): Promise<RequestRow | undefined> {
  return db
    .selectFrom('indexRequests')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('address', '=', address)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function findRequest(db: Queries, workspace: Workspace, id: string): Promise<RequestRow | undefined> {
  return db
    .selectFrom('indexRequests')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('id', '=', id)
    .executeTakeFirst();
}

export interface ListedRequest extends RequestRow {
  personName: string | null;
  personEmail: string | null;
  answererName: string | null;
  answererEmail: string | null;
}

/** Returns requests with the names of the users involved, newest first; with `id` only that one. */
export async function listRequestRows(
  db: Queries,
  workspace: Workspace,
  { count, id }: { count: number; id?: string },
): Promise<ListedRequest[]> {
  return db
    .selectFrom('indexRequests')
    .leftJoin('users as person', 'person.id', 'indexRequests.userId')
    .leftJoin('users as answerer', 'answerer.id', 'indexRequests.answeredByUserId')
    .selectAll('indexRequests')
    .select(['person.displayName as personName', 'person.email as personEmail'])
    .select(['answerer.displayName as answererName', 'answerer.email as answererEmail'])
    .where('indexRequests.workspace', '=', workspace)
    .$if(id !== undefined, (query) => query.where('indexRequests.id', '=', id ?? ''))
    .orderBy('indexRequests.createdAt', 'desc')
    .orderBy('indexRequests.id', 'desc')
    .limit(count)
    .execute();
}

/** Settles a pending, unexpired request; returns true for at most one caller. */
export async function settleRequest(
  tx: Transaction,
  { id, workspace, now }: { id: string; workspace: Workspace; now: number },
  answer: { state: 'approved' | 'declined'; answeredByUserId: string; answeredThrough: 'screen' | 'agent' },
): Promise<boolean> {
  const row = await tx
    .updateTable('indexRequests')
    .set({ ...answer, answeredAt: now })
    .where('id', '=', id)
    .where('workspace', '=', workspace)
    .where('state', '=', 'pending')
    .where('expiresAt', '>', now)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Records that the user at the client has seen a request and decided nothing. */
export async function markClosedAtAgent(tx: Transaction, id: string): Promise<void> {
  await tx
    .updateTable('indexRequests')
    .set({ answeredThrough: 'agent' })
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute();
}

export async function setRequestJob(tx: Transaction, id: string, jobId: string): Promise<void> {
  await tx.updateTable('indexRequests').set({ jobId }).where('id', '=', id).execute();
}

/** Expires overdue requests, so that their addresses can be requested again. */
export async function expirePending(tx: Transaction, workspace: Workspace, now: number): Promise<void> {
  await tx
    .updateTable('indexRequests')
    .set({ state: 'expired' })
    .where('workspace', '=', workspace)
    .where('state', '=', 'pending')
    .where('expiresAt', '<=', now)
    .execute();
}

export async function countAskedSince(tx: Transaction, credentialId: string, since: number): Promise<number> {
  const row = await tx
    .selectFrom('indexRequests')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('credentialId', '=', credentialId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function deleteSettledBefore(tx: Transaction, workspace: Workspace, before: number): Promise<void> {
  await tx
    .deleteFrom('indexRequests')
    .where('workspace', '=', workspace)
    .where('state', '!=', 'pending')
    .where('createdAt', '<', before)
    .execute();
}

export async function deleteRequests(tx: Transaction, workspace: Workspace): Promise<void> {
  await tx.deleteFrom('indexRequests').where('workspace', '=', workspace).execute();
}
