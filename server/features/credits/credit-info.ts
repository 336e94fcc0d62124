import type { CreditInfo, MonthlyUsage } from '#contract/credits.ts';
import { tierOf } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import type { Queries } from '#server/platform/db/database.ts';
import { type BillingCycle, billingCycle } from './cycle.ts';
import { type CreditAccount, findCreditAccount, findCreditsUsed } from './store.ts';

/** What an account has, with the cycle its allowance is counted in (undefined without an allowance). */
export interface Balance {
  info: CreditInfo;
  cycle: BillingCycle | undefined;
}

/** What the caller has. Keys may ask too, so that an agent can tell its person. */
export async function getCreditInfo(ctx: Context): Promise<CreditInfo> {
  const userId = requireUserId(ctx);
  const account = await findCreditAccount(ctx.db.query, userId);
  if (account === undefined) throw new AppError('unauthenticated');
  return (await readBalance(ctx.db.query, account, ctx.clock.now())).info;
}

/** The caller's use of the allowance in this billing cycle; null without an allowance or before the first call. */
export async function getMonthlyUsage(ctx: Context): Promise<MonthlyUsage | null> {
  const userId = requireUserId(ctx);
  const account = await findCreditAccount(ctx.db.query, userId);
  const cycle = account && cycleOf(account, ctx.clock.now());
  if (cycle === undefined) return null;
  const creditsUsed = await findCreditsUsed(ctx.db.query, `user:${userId}`, cycle);
  if (creditsUsed === undefined) return null;
  const { year, month, day } = cycle;
  return { userId, teamId: null, year, month, day, creditsUsed };
}

/** Reads the balance of an account at an instant. */
export async function readBalance(queries: Queries, account: CreditAccount, now: number): Promise<Balance> {
  const cycle = cycleOf(account, now);
  const used = cycle === undefined ? 0 : ((await findCreditsUsed(queries, `user:${account.id}`, cycle)) ?? 0);
  return { info: creditInfoOf(account, used, cycle), cycle };
}

/** The rules of credits: what is left of the month never falls below 0; without an allowance monthly values are 0. */
export function creditInfoOf(account: CreditAccount, used: number, cycle: BillingCycle | undefined): CreditInfo {
  const hasAllowance = account.monthlyAllowance > 0;
  const monthlyCreditsUsed = hasAllowance ? used : 0;
  const monthlyCreditsRemaining = hasAllowance ? Math.max(0, account.monthlyAllowance - used) : 0;
  return {
    tier: tierOf(account.tier),
    isUnlimited: account.isOperator === 1,
    purchasedCredits: account.credits,
    monthlyAllowance: hasAllowance ? account.monthlyAllowance : 0,
    monthlyCreditsUsed,
    monthlyCreditsRemaining,
    totalCreditsAvailable: account.credits + monthlyCreditsRemaining,
    renewsAt: cycle?.endAt ?? null,
  };
}

function cycleOf(account: CreditAccount, now: number): BillingCycle | undefined {
  if (account.monthlyAllowance <= 0) return undefined;
  return billingCycle(account.subscriptionStartAt ?? account.createdAt, now);
}
