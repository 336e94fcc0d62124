import * as limits from '#contract/limits.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';
import { endInTime } from '#server/platform/db/has-come.ts';
import { type RowPlace, rowPages } from '#server/platform/db/row-pages.ts';
import type { Row } from '#server/platform/db/schema.ts';
import { deleteEndedRateCounts } from './rate-store.ts';

const dayMs = 86_400_000;

/** Fixed id of the local owner, so that two concurrent first starts create one account. */
export const localOwnerId = 'local-owner';

/** Creates the local owner's account if it does not exist; returns its id. */
export async function ensureLocalOwner({ query }: Database, clock: Clock): Promise<string> {
  const now = clock.now();
  await query
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
  return localOwnerId;
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

/** Consumes a link. At most one caller gets the user id. */
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

export async function deleteExpired(db: Queries, now: number): Promise<void> {
  const ended = { column: 'expiresAt', before: now + 1 } as const;
  await deleteOldest(db, 'webSessions', { key: ['tokenHash'], ...ended });
  await deleteOldest(db, 'signInLinks', { key: ['tokenHash'], ...ended });
  await deleteOldest(db, 'actionCodes', { key: ['codeHash'], ...ended });
  await deleteOldest(db, 'identityTokens', { key: ['tokenHash'], ...ended });
  await deleteEndedRateCounts(db, now);
}

/** Shortens sessions, links, codes and tokens that were created while the clock was ahead to the usual lifetime. */
export async function endSessionsInTime(db: Queries, now: number): Promise<void> {
  const mostMs = {
    web_sessions: limits.webSessionLifetimeDays * dayMs,
    sign_in_links: limits.signInLinkLifetimeMinutes * 60_000,
    // Invitation codes have the longest lifetime.
    action_codes: limits.inviteLifetimeDays * dayMs,
    identity_tokens: limits.identityTokenLifetimeMinutes * 60_000,
  };
  for (const [table, most] of Object.entries(mostMs)) await endInTime(db, table, { now, mostMs: most });
}

/** Returns a user's newest actions from the audit log, in pages. */
export function listActionsOf(
  db: Queries,
  userId: string,
): AsyncIterable<Pick<Row<'auditLog'>, 'id' | 'createdAt' | 'action' | 'entityId' | 'teamId'>[]> {
  const page = (before: RowPlace, rowsMax: number) =>
    db
      .selectFrom('auditLog')
      .select(['id', 'createdAt', 'action', 'entityId', 'teamId'])
      .where('actorUserId', '=', userId)
      .where(({ eb, refTuple, tuple }) => eb(refTuple('createdAt', 'id'), '<', tuple(before.at, before.id)))
      .orderBy('createdAt', 'desc')
      .orderBy('id', 'desc')
      .limit(rowsMax)
      .execute();
  return rowPages(limits.personalDataRowsMax, page, ({ createdAt }) => createdAt);
}
