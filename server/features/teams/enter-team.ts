import type { TeamRight } from '#contract/endpoint.ts';
import { AppError } from '#server/app-error.ts';
import type { Context, TeamMembership } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasRight, MissingRole } from './rights.ts';
import { findActiveMembership, type MembershipRow } from './store.ts';
import { holdTeam, type TeamRow } from './team-store.ts';

/** Ids as we make them; what looks otherwise is not asked for. */
const idShape = /^[\w-]{1,100}$/;

/**
 * The same request, acting in a team. Read again with each call, so that the person who was removed is out at once. A team one
 * does not belong to looks like one that does not exist (`team-not-found`).
 */
export async function enterTeam(ctx: Context, teamId: string): Promise<Context & { membership: TeamMembership }> {
  if (ctx.actor.kind === 'anonymous') throw new AppError('unauthenticated');
  const row = idShape.test(teamId) ? await findActiveMembership(ctx.db.query, teamId, ctx.actor.userId) : undefined;
  if (row === undefined) throw new AppError('team-not-found');
  return { ...ctx, workspace: `team:${teamId}`, membership: { membershipId: row.id, teamId, role: row.role } };
}

/**
 * The request acting in the team that its input names, else as it came. An agent's key or application acts where it
 * belongs, so only people name a team.
 */
export async function actIn(ctx: Context, teamId: string | undefined): Promise<Context> {
  if (teamId === undefined || teamId === ctx.membership?.teamId) return ctx;
  requirePerson(ctx);
  if (ctx.actor.kind === 'key') {
    throw new AppError('permission-denied', { values: { need: ' An API key acts in its own workspace only.' } });
  }
  return enterTeam(ctx, teamId);
}

/**
 * The membership that a key or connection of a team acts by: of the person who made it, and the one it was made in. Someone who
 * left and was invited again does not bring old keys back. Undefined when there is none.
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
 * The same once more in the transaction of a change, with the team held until it ends: anyone who was removed or demoted since
 * the request came in is refused, and what is made in a team cannot outlive it.
 */
export async function confirmRight(tx: Transaction, ctx: Context, right: TeamRight): Promise<void> {
  if (ctx.membership === undefined) return;
  const { teamId } = ctx.membership;
  const team = await holdTeam(tx, teamId);
  const membership = team && (await findActiveMembership(tx, teamId, requirePerson(ctx)));
  if (membership === undefined) throw new AppError('team-not-found');
  if (!hasRight(membership.role, right)) throw new MissingRole({ teamId, role: membership.role }, right);
}

/** Refuses who may not do this in the team they act in. One's own workspace is one's own. */
export function requireRight(ctx: Context, right: TeamRight): void {
  if (ctx.membership !== undefined && !hasRight(ctx.membership.role, right))
    throw new MissingRole(ctx.membership, right);
}

/** The same for one who looks after a team: a person, with a right in the team they name. */
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

/** A team that is held: no one else changes it or its memberships until the transaction ends. */
export interface HeldTeam {
  tx: Transaction;
  team: TeamRow;
  /** Of the acting person. */
  membership: MembershipRow & { userId: string };
  now: number;
}

/**
 * Changes something about a team, one change at a time: the right is asked for before anything is held, and again of
 * what the person is once their turn has come.
 */
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
