import { AppError } from '#server/app-error.ts';
import type { Context, TeamMembership } from '#server/context.ts';
import { hasRight, type Right } from './rights.ts';
import { findActiveMembership } from './store.ts';

/**
 * The same request, acting in a team. Read anew with each call, so that whoever was removed is out at once. A team one
 * does not belong to looks like one that does not exist (`team-not-found`).
 */
export async function enterTeam(ctx: Context, teamId: string): Promise<Context & { membership: TeamMembership }> {
  if (ctx.actor.kind === 'anonymous') throw new AppError('unauthenticated');
  const row = await findActiveMembership(ctx.db.query, teamId, ctx.actor.userId);
  if (row === undefined) throw new AppError('team-not-found');
  return { ...ctx, workspace: `team:${teamId}`, membership: { membershipId: row.id, teamId, role: row.role } };
}

/** Refuses who may not do this in the team they act in. One's own workspace is one's own. */
export function requireRight(ctx: Context, right: Right): void {
  if (ctx.membership !== undefined && !hasRight(ctx.membership.role, right)) throw new AppError('permission-denied');
}
