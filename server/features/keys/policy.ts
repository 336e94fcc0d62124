import { type KeyRight, keyRights } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { actingUser, requirePerson } from '#server/features/accounts/index.ts';
import { actIn, hasRight, requireRight } from '#server/features/teams/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { findApiKey, findTeamOfKey, type ListedKey } from './store.ts';

/** The owner of keys: a user, or a user in one of their teams. */
export interface KeyOwner {
  userId: string;
  teamId: string | null;
  /** True if they can list and revoke everyone's keys in the team. */
  isOverAll: boolean;
  /** The context, acting where the keys are. */
  acting: Context;
}

/**
 * Returns the owner of the keys that an input refers to: the given team, else the current workspace. Keys cannot manage
 * keys. A team the caller does not belong to is reported as not found.
 */
export async function requireKeyOwner(ctx: Context, input: { teamId?: string | undefined }): Promise<KeyOwner> {
  const userId = requirePerson(ctx);
  const acting = await actIn(ctx, input.teamId);
  requireRight(acting, 'keys.own');
  const { membership } = acting;
  const isOverAll = membership !== undefined && hasRight(membership.role, 'keys.all');
  return { userId, teamId: membership?.teamId ?? null, isOverAll, acting };
}

/**
 * Returns a key that the caller may revoke, in any workspace: their own, or one of a team they administer. Others are
 * reported as not found.
 */
export async function requireKeyInCharge(ctx: Context, queries: Queries, keyId: string): Promise<ListedKey> {
  const userId = requirePerson(ctx);
  const team = await findTeamOfKey(queries, keyId, userId);
  const isOverAll = team !== undefined && hasRight(team.role, 'keys.all');
  const row = await findApiKey(queries, { userId, teamId: team?.teamId ?? null, isOverAll }, keyId);
  if (row === undefined) throw new AppError('key-not-found');
  return row;
}

/** Throws if the user's email address is not verified; the local owner's always is. */
export async function requireVerifiedEmail(ctx: Context): Promise<void> {
  const user = await actingUser(ctx);
  if (user === undefined) throw new AppError('unauthenticated');
  if (user.emailVerifiedAt === null) throw new AppError('email-not-verified');
}

/**
 * Returns true if this user can reveal the key after its creation: their own active one, unless its team shows keys
 * once.
 */
export function isRevealable(row: ListedKey, userId: string): boolean {
  return row.userId === userId && isActive(row) && row.showsKeysOnce !== 1;
}

/** Returns true if a key grants access: it is not revoked and, for a team key, its creator is still a member. */
export function isActive(row: ListedKey): boolean {
  return row.revokedAt === null && (row.teamId === null || row.isMembers === 1);
}

/** Returns the rights of programs with this key. */
export function rightsOf({ rights }: Pick<ListedKey, 'rights'>): KeyRight[] {
  const given = rights.split(',');
  return keyRights.filter((right) => given.includes(right));
}
