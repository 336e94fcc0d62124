import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';

export async function insertApiKey(db: Queries, row: Row<'apiKeys'>): Promise<void> {
  await db.insertInto('apiKeys').values(row).execute();
}

/** Personal keys of a user (those of teams have a team id), newest first. */
export async function listApiKeyRows(db: Queries, userId: string): Promise<Row<'apiKeys'>[]> {
  return db
    .selectFrom('apiKeys')
    .selectAll()
    .where('userId', '=', userId)
    .where('teamId', 'is', null)
    .orderBy('createdAt', 'desc')
    .orderBy('id')
    .execute();
}

export async function findApiKeyByHash(db: Queries, keyHash: string): Promise<Row<'apiKeys'> | undefined> {
  return db.selectFrom('apiKeys').selectAll().where('keyHash', '=', keyHash).executeTakeFirst();
}

/** Sets the time of revocation of a personal key, once; false when nothing was changed. */
export async function markApiKeyRevoked(db: Queries, userId: string, keyId: string, now: number): Promise<boolean> {
  const revoked = await db
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('id', '=', keyId)
    .where('userId', '=', userId)
    .where('teamId', 'is', null)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** A personal key of this user. */
export async function findApiKey(db: Queries, userId: string, keyId: string): Promise<Row<'apiKeys'> | undefined> {
  return db
    .selectFrom('apiKeys')
    .selectAll()
    .where('id', '=', keyId)
    .where('userId', '=', userId)
    .where('teamId', 'is', null)
    .executeTakeFirst();
}

/** Writes the time of use unless it was written after `notAfter`, whoever wrote it. */
export async function touchApiKey(db: Queries, keyId: string, now: number, notAfter: number): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: now })
    .where('id', '=', keyId)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', notAfter)]))
    .execute();
}

/** When this person last had keys shown, newest first. */
export async function listRevealTimes(
  tx: Transaction,
  wanted: { userId: string; action: string; since: number; count: number },
): Promise<number[]> {
  const rows = await tx
    .selectFrom('auditLog')
    .select('createdAt')
    .where('actorUserId', '=', wanted.userId)
    .where('action', '=', wanted.action)
    .where('createdAt', '>', wanted.since)
    .orderBy('createdAt', 'desc')
    .limit(wanted.count)
    .execute();
  return rows.map(({ createdAt }) => createdAt);
}
