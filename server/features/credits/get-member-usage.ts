import type { MemberUsage } from '#contract/credits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { actIn } from '#server/features/teams/index.ts';
import { billingCycle } from './cycle.ts';
import { requireLedgerScope } from './ledger-scope.ts';
import { findTeamPool, sumUsageByMember } from './team-store.ts';

/**
 * What the calls of each member took since the team's billing cycle began, most first: for admins of everyone, former
 * members included, for others of themselves. A team one does not belong to looks like one that does not exist.
 */
export async function getMemberUsage(
  ctx: Context,
  input: { teamId: string },
): Promise<{ since: number; members: MemberUsage[] }> {
  requirePerson(ctx);
  const acting = await actIn(ctx, input.teamId);
  const { userId } = requireLedgerScope(acting);
  const team = await findTeamPool(ctx.db.query, input.teamId);
  if (team === undefined) throw new AppError('team-not-found');
  const since = billingCycle(team.subscriptionStartAt ?? team.createdAt, ctx.clock.now()).startAt;
  const sums = await sumUsageByMember(ctx.db.query, { teamId: team.id, since, userId });
  return {
    since,
    members: sums.map((sum) => ({
      userId: sum.userId,
      user: sum.displayName || sum.email,
      userEmail: sum.email,
      creditsUsed: sum.creditsUsed,
      accountCreditsUsed: sum.accountCredits,
    })),
  };
}
