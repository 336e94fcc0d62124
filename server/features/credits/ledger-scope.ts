import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { hasRight, requireRight } from '#server/features/teams/index.ts';
import type { LedgerScope } from './store.ts';

/** What the acting person may see of calls and credits: their own, in a team their own there, as its admin everyone's. */
export function requireLedgerScope(ctx: Context): LedgerScope {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'activity.own');
  const { membership } = ctx;
  if (membership === undefined) return { userId, teamId: null };
  const isOverAll = hasRight(membership.role, 'activity.all');
  return { userId: isOverAll ? undefined : userId, teamId: membership.teamId };
}
