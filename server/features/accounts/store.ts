import type { Queries } from '#server/platform/db/database.ts';
import type { Row } from '#server/platform/db/schema.ts';

/** The person who runs the installation has one fixed id, so that two first starts at once make one account. */
export const localOwnerId = 'local-owner';

export async function insertLocalOwner(db: Queries, now: number): Promise<void> {
  await db
    .insertInto('users')
    .values({
      id: localOwnerId,
      email: null,
      displayName: 'Local owner',
      photoUrl: null,
      emailVerifiedAt: now,
      tier: 'Free',
      isOperator: 1,
      createdAt: now,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .execute();
}

export async function findUser(db: Queries, userId: string): Promise<Row<'users'> | undefined> {
  return db.selectFrom('users').selectAll().where('id', '=', userId).executeTakeFirst();
}

export async function insertSignInLink(
  db: Queries,
  row: { tokenHash: string; userId: string; createdAt: number; expiresAt: number },
): Promise<void> {
  await db
    .insertInto('signInLinks')
    .values({ ...row, usedAt: null })
    .execute();
}

/** Uses a link up. At most one caller gets the user id. */
export async function claimSignInLink(db: Queries, tokenHash: string, now: number): Promise<string | undefined> {
  const row = await db
    .updateTable('signInLinks')
    .set({ usedAt: now })
    .where('tokenHash', '=', tokenHash)
    .where('usedAt', 'is', null)
    .where('expiresAt', '>', now)
    .returning('userId')
    .executeTakeFirst();
  return row?.userId;
}

export async function insertWebSession(
  db: Queries,
  row: { tokenHash: string; userId: string; createdAt: number; expiresAt: number },
): Promise<void> {
  await db
    .insertInto('webSessions')
    .values({ ...row, lastSeenAt: row.createdAt })
    .execute();
}

export async function findSessionUser(db: Queries, tokenHash: string, now: number): Promise<Row<'users'> | undefined> {
  return db
    .selectFrom('webSessions')
    .innerJoin('users', 'users.id', 'webSessions.userId')
    .selectAll('users')
    .where('webSessions.tokenHash', '=', tokenHash)
    .where('webSessions.expiresAt', '>', now)
    .executeTakeFirst();
}

/** Answers whose session it was; undefined when there was none. */
export async function deleteWebSession(db: Queries, tokenHash: string): Promise<string | undefined> {
  const ended = await db
    .deleteFrom('webSessions')
    .where('tokenHash', '=', tokenHash)
    .returning('userId')
    .executeTakeFirst();
  return ended?.userId;
}

export async function deleteExpired(db: Queries, now: number): Promise<void> {
  await db.deleteFrom('webSessions').where('expiresAt', '<=', now).execute();
  await db.deleteFrom('signInLinks').where('expiresAt', '<=', now).execute();
}

export async function countWebSessions(db: Queries): Promise<number> {
  const row = await db
    .selectFrom('webSessions')
    .select((builder) => builder.fn.countAll().as('count'))
    .executeTakeFirstOrThrow();
  return Number(row.count);
}
