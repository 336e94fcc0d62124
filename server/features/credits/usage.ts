import type { MemberUsage, SavingsLedger, SavingsSum, UsageDay } from '#contract/credits.ts';
import * as limits from '#contract/limits.ts';
import { savedTokensOf } from '#contract/savings.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { actIn, hasRight, requireRight } from '#server/features/teams/index.ts';
import { billingCycle } from './cycle.ts';
import { type NamedSums, type ReceiptSums, sumCalls, sumCallsByKey, sumReceiptsBySession } from './savings-store.ts';
import { type LedgerScope, sumCallsByDay } from './store.ts';
import { findTeamPool, sumUsageByMember } from './team-store.ts';

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Returns the caller's calls of the last days; in a team those made there, or everyone's for an admin. Includes today,
 * oldest first; days are UTC and complete.
 */
export async function getUsage(ctx: Context, { days }: { days: number }): Promise<UsageDay[]> {
  const scope = requireLedgerScope(ctx);
  const today = Math.floor(ctx.clock.now() / dayMs);
  const first = today - days + 1;
  const sums = await sumCallsByDay(ctx.db.query, scope, first);
  const series = Array.from({ length: days }, (_, index) => emptyDay((first + index) * dayMs));
  for (const { day, tool, calls, answered, ...sum } of sums) {
    const entry = series[day - first];
    if (entry === undefined) continue;
    if (tool === 'search') {
      entry.searches += calls;
      entry.answeredSearches += answered;
    } else entry.reads += calls;
    entry.credits += sum.credits;
    entry.tokensSent += sum.tokensSent;
    entry.wholePageTokens += sum.wholePageTokens;
    entry.withheldTokens += sum.withheldTokens;
  }
  return series;
}

function emptyDay(at: number): UsageDay {
  return {
    at,
    searches: 0,
    answeredSearches: 0,
    reads: 0,
    credits: 0,
    tokensSent: 0,
    wholePageTokens: 0,
    withheldTokens: 0,
  };
}

/**
 * Returns what each member's calls took since the team's billing cycle began, most first: everyone's for admins,
 * including former members, and their own for others. A team that the caller does not belong to is reported as not
 * found.
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

/**
 * Returns the calls and credits the caller can see: their own; in a team their own there, or everyone's for its admin.
 */
export function requireLedgerScope(ctx: Context): LedgerScope {
  const userId = requirePerson(ctx);
  requireRight(ctx, 'activity.own');
  const { membership } = ctx;
  if (membership === undefined) return { userId, teamId: null };
  const isOverAll = hasRight(membership.role, 'activity.all');
  return { userId: isOverAll ? undefined : userId, teamId: membership.teamId };
}

/**
 * Returns the tokens that the caller's calls of the last days (UTC, including today) saved; in a team those made there,
 * or everyone's for an admin: in total, by key or application, and by conversation. A search with results counts as one
 * lookup at the baseline of `contract/limits.ts`; all tokens sent, including reads, are deducted. Searches without
 * results save nothing.
 */
export async function getSavings(ctx: Context, { days }: { days: number }): Promise<SavingsLedger> {
  const scope = requireLedgerScope(ctx);
  const firstDay = Math.floor(ctx.clock.now() / dayMs) - days + 1;
  const since = firstDay * dayMs;
  const total = await sumCalls(ctx.db.query, scope, firstDay);
  const keys = await sumCallsByKey(ctx.db.query, scope, firstDay);
  const sessions = await sumReceiptsBySession(ctx.db.query, scope, { since, count: limits.savingsSessionsListed });
  return {
    since,
    baselineTokens: limits.baselineTokens,
    total: withSaved(total),
    keys: keys
      .map(withSaved<NamedSums>)
      .sort((a, b) => b.savedTokens - a.savedTokens || b.lastAt - a.lastAt)
      .slice(0, limits.savingsKeysListed),
    sessions: sessions.map(withSaved<NamedSums>),
  };
}

function withSaved<Sums extends ReceiptSums>(sums: Sums): Sums & Pick<SavingsSum, 'savedTokens'> {
  return { ...sums, savedTokens: savedTokensOf(sums.answeredSearches, sums.tokensSent) };
}
