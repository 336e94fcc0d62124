import type { ChangePreview, PaidTier } from '#contract/billing.ts';
import { plans } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { allowanceUsed } from '#server/features/credits/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';
import { requestKey, withClaim } from './change-claim.ts';
import type { BillingDependencies } from './dependencies.ts';
import { type PayerOfRequest, payerOf } from './payer.ts';
import { askProvider } from './payment-faults.ts';
import { holdsPlan } from './standing.ts';
import { type AccountRow, findAccount } from './store.ts';
import { syncSubscription } from './sync-subscription.ts';

/** A subscription that runs, as it was read last. */
export interface Running {
  account: AccountRow;
  subscriptionId: string;
  tier: PaidTier;
  quantity: number;
}

/** The running subscription of a payer; refuses (`not-subscribed`) when there is none. */
export async function requireRunning(ctx: Context, payer: Payer): Promise<Running> {
  const account = await findAccount(ctx.db.query, 'payer', payer);
  const tier = account?.tier;
  const isRunning = holdsPlan(account?.subscriptionStatus ?? null) && (tier === 'Basic' || tier === 'Pro');
  if (account === undefined || !isRunning || account.subscriptionId === null) throw new AppError('not-subscribed');
  return { account, subscriptionId: account.subscriptionId, tier: tier as PaidTier, quantity: account.quantity };
}

/** What a change of plan or seats would come to. */
export async function previewChange(
  ctx: Context,
  input: { teamId?: string; tier?: PaidTier | undefined; numberOfSeats?: number | undefined },
  { payments }: BillingDependencies,
): Promise<ChangePreview> {
  const { payer } = await payerOf(ctx, input);
  const running = await requireRunning(ctx, payer);
  const terms = { tier: input.tier ?? running.tier, quantity: input.numberOfSeats ?? running.quantity };
  const preview = await askProvider(() => payments.provider.previewChange(running.subscriptionId, terms));
  const isForfeit = preview.creditCents > 0 && (await prorationOf(ctx, running, terms)) === 'none';
  return {
    ...preview,
    creditCents: isForfeit ? 0 : preview.creditCents,
    mode: payments.provider.mode,
    tier: terms.tier,
    numberOfSeats: terms.quantity,
    monthlyAllowance: plans[terms.tier].creditsPerMonth * terms.quantity,
  };
}

/** Changes the plan of a subscription, at once. The plan it has already is no change. */
export async function changePlan(
  ctx: Context,
  input: { teamId?: string; tier: PaidTier },
  deps: BillingDependencies,
): Promise<void> {
  const who = await payerOf(ctx, input);
  await withClaim(ctx, who.payer, deps, async () => {
    const running = await requireRunning(ctx, who.payer);
    await changeTerms(ctx, who, running, { tier: input.tier, quantity: running.quantity }, deps);
  });
}

/** Changes what is paid for, and reads what came of it. Under the payer's claim. */
export async function changeTerms(
  ctx: Context,
  { payer, userId, teamId }: PayerOfRequest,
  running: Running,
  terms: { tier: PaidTier; quantity: number },
  deps: BillingDependencies,
): Promise<void> {
  const { provider } = deps.payments;
  const { subscriptionId } = running;
  if (terms.tier === running.tier && terms.quantity === running.quantity) return;
  const proration = await prorationOf(ctx, running, terms);
  try {
    await askProvider(() =>
      provider.changeSubscription(subscriptionId, { ...terms, proration }, requestKey(ctx, payer, 'change')),
    );
    await ctx.db.transaction((tx) =>
      recordAudit(tx, ctx.clock.now(), {
        actorUserId: userId,
        action: 'subscription.change',
        entityId: subscriptionId,
        detail: { from: { tier: running.tier, seats: running.quantity }, to: terms },
        ...(teamId === undefined ? {} : { teamId }),
      }),
    );
  } finally {
    // Also after a failure: whether the change was made is the provider's to say.
    await askProvider(() => syncSubscription(ctx, subscriptionId, deps));
  }
}

/**
 * What costs more is charged at once. What costs less is kept as a credit for the rest of the period, unless more of this
 * cycle's allowance was used than the new plan has: what was used is not paid back.
 */
async function prorationOf(
  ctx: Context,
  { account, tier, quantity }: Running,
  terms: { tier: PaidTier; quantity: number },
): Promise<'invoice' | 'credit' | 'none'> {
  const costs = (plan: PaidTier, seats: number) => plans[plan].usdPerMonth * seats;
  if (costs(terms.tier, terms.quantity) >= costs(tier, quantity)) return 'invoice';
  const startedAt = account.startedAt ?? ctx.clock.now();
  const used = await allowanceUsed(ctx.db.query, account.payer, startedAt, ctx.clock.now());
  return used <= plans[terms.tier].creditsPerMonth * terms.quantity ? 'credit' : 'none';
}

/** Cancels a subscription at the end of its period, or takes that back as long as it lasts. Twice is once. */
export async function setCancellation(
  ctx: Context,
  input: { teamId?: string; isCancelled: boolean },
  deps: BillingDependencies,
): Promise<void> {
  const { payer, userId, teamId } = await payerOf(ctx, input);
  const { isCancelled } = input;
  await withClaim(ctx, payer, deps, async () => {
    const { subscriptionId } = await requireRunning(ctx, payer);
    await askProvider(() => deps.payments.provider.setCancelAtPeriodEnd(subscriptionId, isCancelled));
    await ctx.db.transaction((tx) =>
      recordAudit(tx, ctx.clock.now(), {
        actorUserId: userId,
        action: isCancelled ? 'subscription.cancel' : 'subscription.resume',
        entityId: subscriptionId,
        ...(teamId === undefined ? {} : { teamId }),
      }),
    );
    await askProvider(() => syncSubscription(ctx, subscriptionId, deps));
  });
}
