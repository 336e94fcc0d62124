import type { TeamRight } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context, TeamMembership } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasRight, MissingRole } from './rights.ts';
import { findActiveMembership, type MembershipRow } from './store.ts';
import { holdTeam, type TeamRow } from './team-store.ts';

/** The shape of our ids; other values are not looked up. */
const idShape = /^[\w-]{1,100}$/;

/**
 * Returns the context, acting in a team. The membership is read for each call, so that removal takes effect at once. A
 * team the caller does not belong to is reported as not found (`team-not-found`).
 */
export async function enterTeam(ctx: Context, teamId: string): Promise<Context & { membership: TeamMembership }> {
  if (ctx.actor.kind === 'anonymous') throw new AppError('unauthenticated');
  const row = idShape.test(teamId) ? await findActiveMembership(ctx.db.query, teamId, ctx.actor.userId) : undefined;
  if (row === undefined) throw new AppError('team-not-found');
  return { ...ctx, workspace: `team:${teamId}`, membership: { membershipId: row.id, teamId, role: row.role } };
}

/**
 * Returns the context, acting in the given team, or unchanged without one. Agents' keys and applications have a fixed
 * workspace, so only users can name a team.
 */
export async function actIn(ctx: Context, teamId: string | undefined): Promise<Context> {
  if (teamId === undefined || teamId === ctx.membership?.teamId) return ctx;
  requirePerson(ctx);
  if (ctx.actor.kind === 'key') {
    throw new AppError('permission-denied', { values: { need: ' An API key works only in its own workspace.' } });
  }
  return enterTeam(ctx, teamId);
}

/**
 * Returns the membership under which a team's key or connection acts: that of its creator at the time. Old keys of a
 * member who left and was invited again stay invalid. Undefined if there is none.
 */
export async function membershipSince(
  queries: Queries,
  made: { teamId: string; userId: string; createdAt: number },
): Promise<TeamMembership | undefined> {
  const row = await findActiveMembership(queries, made.teamId, made.userId);
  if (row === undefined || (row.acceptedAt ?? row.joinedAt) > made.createdAt) return undefined;
  return { membershipId: row.id, teamId: made.teamId, role: row.role };
}

/**
 * Checks the right again within the transaction of a change, and locks the team: a member who was removed or demoted
 * meanwhile is refused, and nothing is created in a team that is being deleted.
 */
export async function confirmRight(tx: Transaction, ctx: Context, right: TeamRight): Promise<void> {
  if (ctx.membership === undefined) return;
  const { teamId } = ctx.membership;
  const team = await holdTeam(tx, teamId);
  const membership = team && (await findActiveMembership(tx, teamId, requirePerson(ctx)));
  if (membership === undefined) throw new AppError('team-not-found');
  if (!hasRight(membership.role, right)) throw new MissingRole({ teamId, role: membership.role }, right);
}

/** Throws if the caller lacks the right in the current team. In their own workspace users have all rights. */
export function requireRight(ctx: Context, right: TeamRight): void {
  if (ctx.membership !== undefined && !hasRight(ctx.membership.role, right))
    throw new MissingRole(ctx.membership, right);
}

/** Returns the context of a user who administers the given team; throws if they lack the right. */
export async function enterTeamAs(
  ctx: Context,
  teamId: string,
  right: TeamRight,
): Promise<Context & { membership: TeamMembership }> {
  requirePerson(ctx);
  const entered = await enterTeam(ctx, teamId);
  requireRight(entered, right);
  return entered;
}

/** A locked team: no other transaction changes it or its memberships until this one ends. */
export interface HeldTeam {
  tx: Transaction;
  team: TeamRow;
  /** The caller's membership. */
  membership: MembershipRow & { userId: string };
  now: number;
}

/** Changes a team; changes are serialized. The right is checked before locking, and again under the lock. */
export async function changeTeam<T>(
  ctx: Context,
  teamId: string,
  right: TeamRight,
  change: (held: HeldTeam) => Promise<T>,
): Promise<T> {
  const userId = requirePerson(ctx);
  await enterTeamAs(ctx, teamId, right);
  return ctx.db.transaction(async (tx) => {
    const team = await holdTeam(tx, teamId);
    const membership = await findActiveMembership(tx, teamId, userId);
    if (team === undefined || membership === undefined) throw new AppError('team-not-found');
    if (!hasRight(membership.role, right)) throw new MissingRole({ teamId, role: membership.role }, right);
    return change({ tx, team, membership: { ...membership, userId }, now: ctx.clock.now() });
  });
}
