import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export type ConnectionRow = Row<'codeHostConnections'>;
type AttemptRow = Row<'codeHostAttempts'>;
type RevocationRow = Row<'codeHostRevocations'>;

export async function findConnection(db: Queries, userId: string): Promise<ConnectionRow | undefined> {
  return db.selectFrom('codeHostConnections').selectAll().where('userId', '=', userId).executeTakeFirst();
}

/** Returns the connections of an account at the host; several users may have connected the same one. */
export async function listConnectionsOfAccount(db: Queries, accountId: string): Promise<ConnectionRow[]> {
  return db.selectFrom('codeHostConnections').selectAll().where('accountId', '=', accountId).execute();
}

export async function putConnection(tx: Transaction, row: NewRow<'codeHostConnections'>): Promise<ConnectionRow> {
  const { userId: _userId, ...change } = row;
  return tx
    .insertInto('codeHostConnections')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('userId').doUpdateSet((expression) => ({
        ...change,
        version: expression('codeHostConnections.version', '+', 1),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Deletes a connection and returns its row; undefined if there was none. */
export async function deleteConnection(tx: Transaction, userId: string): Promise<ConnectionRow | undefined> {
  return tx.deleteFrom('codeHostConnections').where('userId', '=', userId).returningAll().executeTakeFirst();
}

/** Records that the host rejects this version of a connection; undefined if it was replaced meanwhile. */
export async function markReconnect(
  tx: Transaction,
  { userId, version }: Pick<ConnectionRow, 'userId' | 'version'>,
  now: number,
): Promise<ConnectionRow | undefined> {
  return tx
    .updateTable('codeHostConnections')
    .set({ state: 'reconnect', updatedAt: now })
    .where('userId', '=', userId)
    .where('version', '=', version)
    .where('state', '=', 'connected')
    .returningAll()
    .executeTakeFirst();
}

/** Claims the use of this version's refresh token; returns false if another process has it or it was used. */
export async function claimRefresh(
  db: Queries,
  { userId, version }: Pick<ConnectionRow, 'userId' | 'version'>,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const row = await db
    .updateTable('codeHostConnections')
    .set({ refreshingUntil: until })
    .where('userId', '=', userId)
    .where('version', '=', version)
    .where((expression) =>
      expression.or([expression('refreshingUntil', 'is', null), hasCome('refreshingUntil', now, until - now)]),
    )
    .returning('userId')
    .executeTakeFirst();
  return row !== undefined;
}

/** Replaces the tokens of `version`; undefined if the connection was replaced or deleted. */
export async function replaceTokens(
  db: Queries,
  { userId, version }: Pick<ConnectionRow, 'userId' | 'version'>,
  tokens: Pick<
    ConnectionRow,
    'accessTokenSealed' | 'accessExpiresAt' | 'refreshTokenSealed' | 'refreshExpiresAt' | 'updatedAt'
  >,
): Promise<ConnectionRow | undefined> {
  return db
    .updateTable('codeHostConnections')
    .set({ ...tokens, version: version + 1, refreshingUntil: null })
    .where('userId', '=', userId)
    .where('version', '=', version)
    .returningAll()
    .executeTakeFirst();
}

export async function letGoOfRefresh(
  db: Queries,
  { userId, version }: Pick<ConnectionRow, 'userId' | 'version'>,
): Promise<void> {
  await db
    .updateTable('codeHostConnections')
    .set({ refreshingUntil: null })
    .where('userId', '=', userId)
    .where('version', '=', version)
    .execute();
}

export async function insertAttempt(db: Queries, row: NewRow<'codeHostAttempts'>): Promise<void> {
  await db.insertInto('codeHostAttempts').values(row).execute();
}

/** Consumes an attempt: once, in time, and by the session that started it. */
export async function claimAttempt(
  db: Queries,
  claim: { stateHash: string; userId: string; sessionId: string; now: number },
): Promise<AttemptRow | undefined> {
  return db
    .updateTable('codeHostAttempts')
    .set({ usedAt: claim.now })
    .where('stateHash', '=', claim.stateHash)
    .where('userId', '=', claim.userId)
    .where('sessionId', '=', claim.sessionId)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', claim.now)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteOldAttempts(db: Queries, before: number): Promise<void> {
  await db.deleteFrom('codeHostAttempts').where('expiresAt', '<', before).execute();
}

export async function insertRevocation(tx: Transaction, row: NewRow<'codeHostRevocations'>): Promise<void> {
  await tx.insertInto('codeHostRevocations').values(row).execute();
}

/**
 * Returns tokens to revoke and webhooks to delete, oldest first, at most 50. Webhooks come before the revocation of the
 * token that deletes them.
 */
export async function listRevocations(db: Queries): Promise<RevocationRow[]> {
  return db
    .selectFrom('codeHostRevocations')
    .selectAll()
    .orderBy('createdAt')
    .orderBy('webhook', (order) => order.asc().nullsLast())
    .limit(50)
    .execute();
}

export async function deleteRevocation(db: Queries, id: string): Promise<void> {
  await db.deleteFrom('codeHostRevocations').where('id', '=', id).execute();
}
