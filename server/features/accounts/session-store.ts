import * as limits from '#contract/limits.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

export async function insertWebSession(db: Queries, row: NewRow<'webSessions'>): Promise<void> {
  await db.insertInto('webSessions').values(row).execute();
}

export async function findWebSession(
  db: Queries,
  tokenHash: string,
  now: number,
): Promise<Row<'webSessions'> | undefined> {
  return db
    .selectFrom('webSessions')
    .selectAll()
    .where('tokenHash', '=', tokenHash)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}

/** Returns the session behind an identity token, if both are valid. */
export async function findSessionOfIdentityToken(
  db: Queries,
  tokenHash: string,
  now: number,
): Promise<Row<'webSessions'> | undefined> {
  return db
    .selectFrom('identityTokens')
    .innerJoin('webSessions', 'webSessions.tokenHash', 'identityTokens.sessionTokenHash')
    .selectAll('webSessions')
    .where('identityTokens.tokenHash', '=', tokenHash)
    .where('identityTokens.expiresAt', '>', now)
    .where('webSessions.expiresAt', '>', now)
    .executeTakeFirst();
}

export async function findWebSessionById(
  db: Queries,
  userId: string,
  sessionId: string,
  now: number,
): Promise<Row<'webSessions'> | undefined> {
  return db
    .selectFrom('webSessions')
    .selectAll()
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .executeTakeFirst();
}

/** Returns a user's active sessions, most recently seen first. */
export async function listWebSessions(db: Queries, userId: string, now: number): Promise<Row<'webSessions'>[]> {
  return db
    .selectFrom('webSessions')
    .selectAll()
    .where('userId', '=', userId)
    .where('expiresAt', '>', now)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('createdAt', 'desc')
    .orderBy('tokenHash')
    .execute();
}

/** Updates when a session was last seen, unless that already happened after `notAfter`. */
export async function touchWebSession(db: Queries, tokenHash: string, now: number, notAfter: number): Promise<void> {
  await db
    .updateTable('webSessions')
    .set({ lastSeenAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('lastSeenAt', '<', notAfter)
    .execute();
}

/** Deletes a session and returns it. */
export async function deleteWebSession(db: Queries, tokenHash: string): Promise<Row<'webSessions'> | undefined> {
  return db.deleteFrom('webSessions').where('tokenHash', '=', tokenHash).returningAll().executeTakeFirst();
}

/** Deletes a session; returns false if this user has no such session. */
export async function deleteWebSessionById(db: Queries, userId: string, sessionId: string): Promise<boolean> {
  const row = await db
    .deleteFrom('webSessions')
    .where('id', '=', sessionId)
    .where('userId', '=', userId)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes a user's sessions beyond the newest ones, but not the session with this token. */
export async function deleteSurplusSessions(db: Queries, userId: string, newTokenHash: string): Promise<void> {
  const surplus = db
    .selectFrom('webSessions')
    .select('tokenHash')
    .where('userId', '=', userId)
    .where('tokenHash', '!=', newTokenHash)
    .orderBy('lastSeenAt', 'desc')
    .orderBy('tokenHash')
    .limit(limits.webSessionsPerPersonMax)
    .offset(limits.webSessionsPerPersonMax - 1);
  await db.deleteFrom('webSessions').where('tokenHash', 'in', surplus).execute();
}

/** Deletes all sessions of a user except, optionally, one. */
export async function deleteWebSessions(db: Queries, userId: string, exceptId?: string): Promise<void> {
  const all = db.deleteFrom('webSessions').where('userId', '=', userId);
  await (exceptId === undefined ? all : all.where('id', '!=', exceptId)).execute();
}

export async function countWebSessions(db: Queries): Promise<number> {
  const row = await db
    .selectFrom('webSessions')
    .select((builder) => builder.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}
