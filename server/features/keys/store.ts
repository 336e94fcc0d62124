import { type ExpressionBuilder, sql } from 'kysely';
import * as limits from '#contract/limits.ts';
import type { TeamRole } from '#contract/teams.ts';
import { builtOnce } from '#server/platform/db/built-once.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { Row, Schema } from '#server/platform/db/schema.ts';

/** The owner of keys: a user, or a team; in a team only one member's keys unless `isOverAll`. */
interface Owner {
  userId: string;
  teamId: string | null;
  isOverAll: boolean;
}

/** A key with its creator's name and the team data that affects it. */
export interface ListedKey extends Row<'apiKeys'> {
  /** 1 if its creator has been in the team since. */
  isMembers: number | null;
  showsKeysOnce: number | null;
  displayName: string | null;
  email: string | null;
}

export async function insertApiKey(db: Queries, row: Row<'apiKeys'>): Promise<void> {
  await db.insertInto('apiKeys').values(row).execute();
}

function keysWithTeams(db: Queries) {
  return db
    .selectFrom('apiKeys')
    .leftJoin('teams', 'teams.id', 'apiKeys.teamId')
    .leftJoin('users', 'users.id', 'apiKeys.userId')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.teamId', '=', 'apiKeys.teamId')
        .onRef('memberships.userId', '=', 'apiKeys.userId')
        .on('memberships.state', '=', 'accepted')
        .on('memberships.endedAt', 'is', null)
        .onRef(sql`coalesce(memberships.accepted_at, memberships.joined_at)`, '<=', 'apiKeys.createdAt'),
    )
    .selectAll('apiKeys')
    .select(['teams.showsKeysOnce', 'users.displayName', 'users.email'])
    .select(sql<number | null>`case when memberships.id is null then 0 else 1 end`.as('isMembers'));
}

function isOwners({ userId, teamId, isOverAll }: Owner) {
  return ({ eb, and }: ExpressionBuilder<Schema, 'apiKeys'>) =>
    and([
      eb('apiKeys.teamId', teamId === null ? 'is' : '=', teamId),
      ...(teamId === null || !isOverAll ? [eb('apiKeys.userId', '=', userId)] : []),
    ]);
}

/** Returns an owner's active keys and the last ones that were revoked, newest first. */
export async function listApiKeyRows(db: Queries, owner: Owner): Promise<ListedKey[]> {
  const lastRevoked = db
    .selectFrom('apiKeys')
    .select('apiKeys.id')
    .where(isOwners(owner))
    .where('apiKeys.revokedAt', 'is not', null)
    .orderBy('apiKeys.revokedAt', 'desc')
    .orderBy('apiKeys.id')
    .limit(limits.revokedKeysListed);
  return keysWithTeams(db)
    .where(isOwners(owner))
    .where(({ eb, or }) => or([eb('apiKeys.revokedAt', 'is', null), eb('apiKeys.id', 'in', lastRevoked)]))
    .orderBy('apiKeys.createdAt', 'desc')
    .orderBy('apiKeys.id')
    .execute();
}

/** Returns all keys a user created, personal and in teams, newest first. */
export async function listApiKeyRowsOfMaker(db: Queries, userId: string): Promise<ListedKey[]> {
  return keysWithTeams(db)
    .where('apiKeys.userId', '=', userId)
    .orderBy('apiKeys.createdAt', 'desc')
    .orderBy('apiKeys.id')
    .execute();
}

/** Returns a key of an owner. */
export async function findApiKey(db: Queries, owner: Owner, keyId: string): Promise<ListedKey | undefined> {
  return keysWithTeams(db).where(isOwners(owner)).where('apiKeys.id', '=', keyId).executeTakeFirst();
}

/**
 * Returns a key's team and this user's role in it; undefined for a personal key and for teams they do not belong to.
 */
export async function findTeamOfKey(
  db: Queries,
  keyId: string,
  userId: string,
): Promise<{ teamId: string; role: TeamRole } | undefined> {
  return db
    .selectFrom('apiKeys')
    .innerJoin('memberships', 'memberships.teamId', 'apiKeys.teamId')
    .select(['memberships.teamId', 'memberships.role'])
    .where('apiKeys.id', '=', keyId)
    .where('memberships.userId', '=', userId)
    .where('memberships.state', '=', 'accepted')
    .where('memberships.endedAt', 'is', null)
    .executeTakeFirst();
}

export async function findApiKeyByHash(db: Queries, keyHash: string): Promise<Row<'apiKeys'> | undefined> {
  return (await keysByHash(db, { keyHash }))[0];
}

const keysByHash = builtOnce((db, { keyHash }: { keyHash: string }) =>
  db
    .selectFrom('apiKeys')
    .innerJoin('users', 'users.id', 'apiKeys.userId')
    .selectAll('apiKeys')
    .where('keyHash', '=', keyHash)
    .where('users.disabledAt', 'is', null),
);

/** Revokes a key; returns false if nothing changed. */
export async function markApiKeyRevoked(db: Queries, keyId: string, now: number): Promise<boolean> {
  const revoked = await db
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('id', '=', keyId)
    .where('revokedAt', 'is', null)
    .returning('id')
    .executeTakeFirst();
  return revoked !== undefined;
}

/** Revokes a member's keys of a team; returns those revoked. */
export async function markTeamKeysRevoked(
  tx: Transaction,
  member: { teamId: string; userId: string },
  now: number,
): Promise<{ id: string; name: string }[]> {
  return tx
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('teamId', '=', member.teamId)
    .where('userId', '=', member.userId)
    .where('revokedAt', 'is', null)
    .returning(['id', 'name'])
    .execute();
}

/** Revokes all keys that a user created, personal and in teams; returns those revoked. */
export async function markKeysRevoked(
  tx: Transaction,
  userId: string,
  now: number,
): Promise<{ id: string; name: string; teamId: string | null }[]> {
  return tx
    .updateTable('apiKeys')
    .set({ revokedAt: now })
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .returning(['id', 'name', 'teamId'])
    .execute();
}

/** Returns the number of unrevoked keys that a user created. */
export async function countOpenKeys(db: Queries, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom('apiKeys')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('userId', '=', userId)
    .where('revokedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Updates the time of use unless it was updated after `notAfter`. */
export async function touchApiKey(db: Queries, keyId: string, now: number, notAfter: number): Promise<void> {
  await db
    .updateTable('apiKeys')
    .set({ lastUsedAt: now })
    .where('id', '=', keyId)
    .where((where) => where.or([where('lastUsedAt', 'is', null), where('lastUsedAt', '<', notAfter)]))
    .execute();
}

/** Deletes the keys of a team; returns their owners. */
export async function deleteTeamKeys(tx: Transaction, teamId: string): Promise<string[]> {
  const rows = await tx.deleteFrom('apiKeys').where('teamId', '=', teamId).returning('userId').execute();
  return [...new Set(rows.map(({ userId }) => userId))];
}

/** Returns when this user last revealed keys, newest first. */
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
