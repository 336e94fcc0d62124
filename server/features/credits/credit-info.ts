import type { CreditInfo, MonthlyUsage } from '#contract/credits.ts';
import { tierOf } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { type BillingCycle, billingCycle } from './cycle.ts';
import { type CreditAccount, findCreditAccount, findCreditAccounts, findCreditsUsed, findEndOfPlan } from './store.ts';
import { findTeamPool } from './team-store.ts';

/** An account's credits, with the cycle in which its allowance is counted (undefined without an allowance). */
export interface Balance {
  info: CreditInfo;
  cycle: BillingCycle | undefined;
  /** The reason why the allowance does not renew; undefined if it does, or was not looked up. */
  end?: 'cancelled' | 'unpaid' | undefined;
}

/** The columns that determine the available credits of a user's account or a team's pool. */
type Account = Pick<
  CreditAccount,
  | 'tier'
  | 'isOperator'
  | 'createdAt'
  | 'credits'
  | 'monthlyAllowance'
  | 'allowanceStartAt'
  | 'subscriptionStartAt'
  | 'subscriptionEndAt'
> & { workspace: `user:${string}` | `team:${string}` };

/**
 * Returns the credits of the caller or, in a team, of its pool. Keys may call it, so that an agent can inform its user.
 */
export async function getCreditInfo(ctx: Context, { isFree = false } = {}): Promise<CreditInfo> {
  const account = await accountOf(ctx);
  const { info } = await tellRenewal(ctx.db.query, account, await readBalance(ctx.db.query, account));
  return { ...info, isUnlimited: info.isUnlimited || isFree, areCreditsOff: isFree };
}

/**
 * Returns the allowance used in this billing cycle by the caller or the team; null without an allowance or before the
 * first call.
 */
export async function getMonthlyUsage(ctx: Context): Promise<MonthlyUsage | null> {
  const userId = requireUserId(ctx);
  const account = await accountOf(ctx);
  const cycle = cycleOf(account);
  if (cycle === undefined) return null;
  const creditsUsed = await findCreditsUsed(ctx.db.query, account.workspace, cycle);
  if (creditsUsed === undefined) return null;
  const { year, month, day } = cycle;
  const teamId = ctx.membership?.teamId ?? null;
  return { userId: teamId === null ? userId : null, teamId, year, month, day, creditsUsed };
}

async function accountOf(ctx: Context): Promise<Account> {
  const userId = requireUserId(ctx);
  requireRight(ctx, 'team.read');
  const { membership } = ctx;
  const account =
    membership === undefined
      ? await findCreditAccount(ctx.db.query, userId)
      : await findTeamPool(ctx.db.query, membership.teamId);
  if (account === undefined) throw new AppError(membership === undefined ? 'unauthenticated' : 'team-not-found');
  return account;
}

/** Reads the balance of an account or a pool. */
export async function readBalance(queries: Queries, account: Account): Promise<Balance> {
  const cycle = cycleOf(account);
  const used = cycle === undefined ? 0 : ((await findCreditsUsed(queries, account.workspace, cycle)) ?? 0);
  return { info: creditInfoOf(account, used, cycle), cycle };
}

/** Computes the credits: the remaining allowance is never negative; without an allowance monthly values are 0. */
export function creditInfoOf(account: Account, used: number, cycle: BillingCycle | undefined): CreditInfo {
  const hasAllowance = cycle !== undefined;
  const monthlyCreditsUsed = hasAllowance ? used : 0;
  const monthlyCreditsRemaining = hasAllowance ? Math.max(0, account.monthlyAllowance - used) : 0;
  return {
    tier: tierOf(account.tier),
    isUnlimited: account.isOperator === 1,
    areCreditsOff: false,
    purchasedCredits: account.credits,
    monthlyAllowance: hasAllowance ? account.monthlyAllowance : 0,
    monthlyCreditsUsed,
    monthlyCreditsRemaining,
    totalCreditsAvailable: account.credits + monthlyCreditsRemaining,
    renewsAt: cycle === undefined ? null : (account.subscriptionEndAt ?? cycle.endAt),
  };
}

/** Adds to a balance whether the allowance renews, which it does not after a cancellation or a failed payment. */
export async function tellRenewal(queries: Queries, { workspace }: Account, balance: Balance): Promise<Balance> {
  const end = balance.info.renewsAt === null ? undefined : await findEndOfPlan(queries, workspace);
  return end === undefined ? balance : { ...balance, info: { ...balance.info, renewsAt: null }, end };
}

/**
 * Returns the cycle that calls are counted in: the last one paid for. Its remainder can be used until the next one is
 * paid for, or the plan ends.
 */
function cycleOf(account: Account): BillingCycle | undefined {
  const { monthlyAllowance, allowanceStartAt, subscriptionStartAt } = account;
  if (monthlyAllowance <= 0 || allowanceStartAt === null) return undefined;
  return billingCycle(subscriptionStartAt ?? allowanceStartAt, allowanceStartAt);
}

/** Returns accounts' total credits, allowance and balance, by user id, except for accounts that pay nothing. */
export async function accountCreditsOf(ctx: Context, userIds: string[]): Promise<Map<string, number>> {
  const totals = new Map<string, number>();
  for (const account of await findCreditAccounts(ctx.db.query, userIds)) {
    const { info } = await readBalance(ctx.db.query, account);
    if (!info.isUnlimited) totals.set(account.id, info.totalCreditsAvailable);
  }
  return totals;
}
