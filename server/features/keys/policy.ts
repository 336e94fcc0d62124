import { type KeyRight, keyRights } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { actingUser, requirePerson } from '#server/features/accounts/index.ts';
import { actIn, hasRight, requireRight } from '#server/features/teams/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { findApiKey, findTeamOfKey, type ListedKey } from './store.ts';

/** Whose keys are meant: those of one person, or those of a team they belong to. */
export interface KeyOwner {
  userId: string;
  teamId: string | null;
  /** Sees and ends the keys of everyone in the team. */
  isOverAll: boolean;
  /** The request, acting where the keys are. */
  acting: Context;
}

/**
 * The owner of the keys an input speaks of: the team it names, else the workspace the person acts in. A key never looks
 * after keys. A team one does not belong to looks like one that does not exist.
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
 * A key that the acting person may have ended, wherever they act: one's own, or in a team one is an admin of. Anything else
 * looks like a key that does not exist.
 */
export async function requireKeyInCharge(ctx: Context, queries: Queries, keyId: string): Promise<ListedKey> {
  const userId = requirePerson(ctx);
  const team = await findTeamOfKey(queries, keyId, userId);
  const isOverAll = team !== undefined && hasRight(team.role, 'keys.all');
  const row = await findApiKey(queries, { userId, teamId: team?.teamId ?? null, isOverAll }, keyId);
  if (row === undefined) throw new AppError('key-not-found');
  return row;
}

/** Refuses people whose e-mail address is not verified; the person who runs the installation always is. */
export async function requireVerifiedEmail(ctx: Context): Promise<void> {
  const user = await actingUser(ctx);
  if (user === undefined) throw new AppError('unauthenticated');
  if (user.emailVerifiedAt === null) throw new AppError('email-not-verified');
}

/** Returns true if a key may be shown in full to this person after it was made: their own active one, unless its team shows keys once. */
export function isRevealable(row: ListedKey, userId: string): boolean {
  return row.userId === userId && isActive(row) && row.showsKeysOnce !== 1;
}

/** Returns true if a key opens anything: not revoked, and of a team only as long as the person who made it belongs to it. */
export function isActive(row: ListedKey): boolean {
  return row.revokedAt === null && (row.teamId === null || row.isMembers === 1);
}

/** What programs with this key may do. */
export function rightsOf({ rights }: Pick<ListedKey, 'rights'>): KeyRight[] {
  const given = rights.split(',');
  return keyRights.filter((right) => given.includes(right));
}
