import { sql } from 'kysely';
import * as limits from '#contract/limits.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';
import { endInTime } from '#server/platform/db/has-come.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

const dayMs = 86_400_000;

export async function insertConnection(
  tx: Transaction,
  connection: NewRow<'connections'>,
  code: NewRow<'connectionCodes'>,
): Promise<void> {
  await tx.insertInto('connections').values(connection).execute();
  await tx.insertInto('connectionCodes').values(code).execute();
}

/** Consumes a code. At most one caller gets the row. */
export async function claimCode(tx: Transaction, codeHash: string, now: number) {
  return tx
    .updateTable('connectionCodes')
    .set({ usedAt: now })
    .where('codeHash', '=', codeHash)
    .where('usedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the connection id of a code, used or not. */
export async function connectionOfCode(tx: Transaction, codeHash: string): Promise<string | undefined> {
  const row = await tx
    .selectFrom('connectionCodes')
    .select('connectionId')
    .where('codeHash', '=', codeHash)
    .executeTakeFirst();
  return row?.connectionId;
}

/** Marks a refresh token as used. At most one caller gets the connection's id. */
export async function claimRefreshToken(tx: Transaction, tokenHash: string, now: number): Promise<string | undefined> {
  const row = await tx
    .updateTable('connectionTokens')
    .set({ usedAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('kind', '=', 'refresh')
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('connectionId')
    .executeTakeFirst();
  return row?.connectionId;
}

export async function findToken(db: Queries, tokenHash: string): Promise<Row<'connectionTokens'> | undefined> {
  return db.selectFrom('connectionTokens').selectAll().where('tokenHash', '=', tokenHash).executeTakeFirst();
}

export async function insertTokens(tx: Transaction, rows: NewRow<'connectionTokens'>[]): Promise<void> {
  await tx.insertInto('connectionTokens').values(rows).execute();
}

/** Opens a connection or extends it until `expiresAt`; undefined if it was revoked. */
export async function extendConnection(
  tx: Transaction,
  connectionId: string,
  times: { now: number; expiresAt: number },
): Promise<Row<'connections'> | undefined> {
  return tx
    .updateTable('connections')
    .set((set) => ({
      connectedAt: set.fn.coalesce('connectedAt', set.val(times.now)),
      expiresAt: times.expiresAt,
    }))
    .where('id', '=', connectionId)
    .where('revokedAt', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Returns true if an operator has disabled the account. */
export async function isDisabled(db: Queries, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', userId)
    .where('disabledAt', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

export async function findConnection(db: Queries, connectionId: string): Promise<Row<'connections'> | undefined> {
  return db.selectFrom('connections').selectAll().where('id', '=', connectionId).executeTakeFirst();
}

/** Returns the number of a user's connections that are open, or wait for the exchange of their code. */
export async function countConnections(tx: Transaction, userId: string, now: number): Promise<number> {
  const { count } = await tx
    .selectFrom('connections')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .executeTakeFirstOrThrow();
  return count;
}

/**
 * Ends a connection; returns its user's id, or undefined if nothing changed. Its row is deleted with those that expired
 * now, so that ended connections don't pile up.
 */
export async function markConnectionRevoked(
  tx: Transaction,
  connectionId: string,
  now: number,
  userId?: string,
): Promise<string | undefined> {
  const row = await tx
    .updateTable('connections')
    .set({ revokedAt: now, expiresAt: now })
    .where('id', '=', connectionId)
    .where('revokedAt', 'is', null)
    .$if(userId !== undefined, (query) => query.where('userId', '=', userId ?? ''))
    .returning('userId')
    .executeTakeFirst();
  return row?.userId;
}

/** Returns true if this user has, or had, the connection. */
export async function hasConnection(db: Queries, userId: string, connectionId: string): Promise<boolean> {
  const row = await db
    .selectFrom('connections')
    .select('id')
    .where('id', '=', connectionId)
    .where('userId', '=', userId)
    .where('connectedAt', 'is not', null)
    .executeTakeFirst();
  return row !== undefined;
}

/** Returns the unrevoked connections into a team, even those without tokens yet; all, or one user's. */
export async function listConnectionIdsInTeam(tx: Transaction, teamId: string, userId?: string): Promise<string[]> {
  const open = tx
    .selectFrom('connections')
    .select('id')
    .where('workspace', '=', `team:${teamId}`)
    .where('revokedAt', 'is', null);
  const rows = await (userId === undefined ? open : open.where('userId', '=', userId)).execute();
  return rows.map(({ id }) => id);
}

/** Returns the unrevoked connections of a user, even those without tokens yet. */
export async function listConnectionIds(tx: Transaction, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('connections')
    .select('id')
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns a user's active connections, newest first. */
export async function listOpenConnections(db: Queries, userId: string, now: number): Promise<Row<'connections'>[]> {
  return db
    .selectFrom('connections')
    .selectAll()
    .where('userId', '=', userId)
    .where('connectedAt', 'is not', null)
    .where('revokedAt', 'is', null)
    .where('expiresAt', '>', now)
    .orderBy('connectedAt', 'desc')
    .orderBy('id')
    .execute();
}

/** Returns the connection of a valid access token; its user must exist and be enabled. */
export async function connectionOfAccessToken(
  db: Queries,
  tokenHash: string,
  now: number,
): Promise<Row<'connections'> | undefined> {
  return db
    .selectFrom('connectionTokens')
    .innerJoin('connections', 'connections.id', 'connectionTokens.connectionId')
    .innerJoin('users', 'users.id', 'connections.userId')
    .selectAll('connections')
    .where('connectionTokens.tokenHash', '=', tokenHash)
    .where('connectionTokens.kind', '=', 'access')
    .where('connectionTokens.expiresAt', '>', now)
    .where('connections.revokedAt', 'is', null)
    .where('users.disabledAt', 'is', null)
    .executeTakeFirst();
}

/** Updates the time of use unless it was updated after `notAfter`. */
export async function touchConnection(db: Queries, connectionId: string, now: number, notAfter: number): Promise<void> {
  await db
    .updateTable('connections')
    .set({ lastUsedAt: now })
    .where('id', '=', connectionId)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', notAfter)]))
    .execute();
}

/** Deletes expired tokens. A used refresh token is kept until it expires, to detect a second use. */
export async function deleteExpiredTokens(tx: Transaction, connectionId: string, now: number): Promise<void> {
  await tx
    .deleteFrom('connectionTokens')
    .where('connectionId', '=', connectionId)
    .where('expiresAt', '<=', now)
    .execute();
}

/** Deletes connections that expired before this time, with their codes and tokens. */
export async function deleteEndedConnections(db: Queries, endedBefore: number): Promise<void> {
  await deleteOldest(db, 'connections', { key: ['id'], column: 'expiresAt', before: endedBefore + 1 });
}

/** Shortens connections and tokens that were created while the clock was ahead to the usual lifetime. */
export async function endConnectionsInTime(db: Queries, now: number): Promise<void> {
  const mostMs = limits.connectionRefreshLifetimeDays * dayMs;
  const accessMs = limits.connectionAccessLifetimeSeconds * 1000;
  await endInTime(db, 'connections', { now, mostMs });
  await endInTime(db, 'connection_tokens', { now, mostMs });
  await endInTime(db, 'connection_tokens', { now, mostMs: accessMs, only: sql`kind = 'access'` });
}
