import type { AgreedPrice, ChangePreview, PaidTier } from '#contract/billing.ts';
import { plans } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { creditsFor } from '#server/features/credits/index.ts';
import { type AuditEntry, recordAudit } from '#server/platform/db/audit.ts';
import type { PaidTime, Payer, SubscriptionChange } from '#server/platform/payments/payment-provider.ts';
import { askProvider, requestKey, withClaim } from './ask-provider.ts';
import type { BillingDependencies } from './dependencies.ts';
import { type PayerOfRequest, payerOf } from './payer.ts';
import { type AccountRow, findAccount } from './store.ts';
import { syncSubscription } from './sync-subscription.ts';
import { heldBy, sameTerms, type Terms, termsAfter } from './write-subscription.ts';

/** Longer than the requests of a change take, plus the difference between the provider's clock and ours. */
const periodChangeMs = 30_000;

/** An active subscription as last read. */
export interface Running {
  account: AccountRow;
  subscriptionId: string;
  /** The terms until the end of the period. */
  held: Terms;
  /** The terms that the next period will be charged for. */
  next: Terms;
}

/** Returns a payer's active subscription; throws `not-subscribed` if there is none. */
export async function requireRunning(ctx: Context, payer: Payer): Promise<Running> {
  const account = await findAccount(ctx.db.query, 'payer', payer);
  const held = account && heldBy(account);
  if (account === undefined || held === undefined || account.subscriptionId === null) {
    throw new AppError('not-subscribed');
  }
  const next = { tier: account.nextTier as PaidTier, quantity: account.nextQuantity };
  return { account, subscriptionId: account.subscriptionId, held, next };
}

/**
 * Like `requireRunning`, but reads the subscription from the provider again: terms of an ended period must not apply to
 * the next. Throws `billing-busy` near the end of a period, when the next one could begin during the change. Requires
 * the payer's claim.
 */
export async function readRunning(ctx: Context, payer: Payer, deps: BillingDependencies): Promise<Running> {
  const { subscriptionId } = await requireRunning(ctx, payer);
  await askProvider(() => syncSubscription(ctx, subscriptionId, deps));
  const running = await requireRunning(ctx, payer);
  const leftMs = (running.account.periodEndAt ?? 0) - ctx.clock.now();
  if (leftMs < periodChangeMs) throw new AppError('billing-busy');
  return running;
}

/** Returns the price and effect of a change of plan or seats. */
export async function previewChange(
  ctx: Context,
  input: { teamId?: string; tier?: PaidTier | undefined; numberOfSeats?: number | undefined },
  deps: BillingDependencies,
): Promise<ChangePreview> {
  const { payer } = await payerOf(ctx, input);
  const running = await requireRunning(ctx, payer);
  requireKept(running, askedTerms(input));
  return previewTerms(running, askedTerms(input), deps);
}

async function previewTerms(
  running: Running,
  asked: Partial<Terms>,
  { payments }: BillingDependencies,
): Promise<ChangePreview> {
  const after = termsAfter(running, asked);
  const preview = (terms: Terms) => askProvider(() => payments.provider.previewChange(running.subscriptionId, terms));
  const { monthlyCents, renewsAt } = await preview(after.next);
  const due = { dueNowCents: 0, paidFor: [] as PaidTime[] };
  if (!sameTerms(after.held, running.held)) {
    Object.assign(due, await preview(after.held));
    // The provider calculates from the next period's terms, although more is already paid for in this one.
    if (!sameTerms(running.held, running.next)) {
      const paid = await preview(running.held);
      due.dueNowCents = Math.max(0, due.dueNowCents - paid.dueNowCents);
      due.paidFor.push(...paid.paidFor.map((time) => ({ ...time, quantity: -time.quantity })));
    }
  }
  return {
    ...{ monthlyCents, renewsAt, dueNowCents: due.dueNowCents },
    creditsNow: Math.max(0, creditsFor(running.account.startedAt ?? renewsAt, due.paidFor)),
    startsAt: sameTerms(after.held, after.next) ? null : renewsAt,
    mode: payments.provider.mode,
    tier: after.next.tier,
    numberOfSeats: after.next.quantity,
    monthlyAllowance: plans[after.next.tier].creditsPerMonth * after.next.quantity,
  };
}

function askedTerms(input: { tier?: PaidTier | undefined; numberOfSeats?: number | undefined }): Partial<Terms> {
  return {
    ...(input.tier === undefined ? {} : { tier: input.tier }),
    ...(input.numberOfSeats === undefined ? {} : { quantity: input.numberOfSeats }),
  };
}

/** Changes a subscription's plan: upgrades take effect at once, downgrades at the end of the period. */
export async function changePlan(
  ctx: Context,
  input: { teamId?: string; tier: PaidTier; agreedPrice?: AgreedPrice | undefined },
  deps: BillingDependencies,
): Promise<void> {
  const who = await payerOf(ctx, input);
  await withClaim(ctx, who.payer, deps, async () => {
    const running = await readRunning(ctx, who.payer, deps);
    const asked = { tier: input.tier };
    await requireAgreed(running, asked, input.agreedPrice, deps);
    await changeTerms(ctx, who, running, asked, deps);
  });
}

/** Throws `plan-ending` for changes of a cancelled subscription, which must be resumed first. */
function requireKept(running: Running, asked: Partial<Terms>): void {
  if (running.account.cancelAtPeriodEnd === 1 && !isUnchanged(running, termsAfter(running, asked))) {
    throw new AppError('plan-ending');
  }
}

const isUnchanged = (running: Running, after: ReturnType<typeof termsAfter>) =>
  sameTerms(after.held, running.held) && sameTerms(after.next, running.next);

/**
 * The charge and the credit for the rest of a period are rounded to a cent separately, so their sum may rise as time
 * passes.
 */
const roundingCents = 2;

/**
 * Throws for a change of a cancelled subscription (`plan-ending`), and for one that costs more than the user agreed to
 * (`price-changed`). Call it before any change, including seats. Requires the payer's claim.
 */
export async function requireAgreed(
  running: Running,
  asked: Partial<Terms>,
  agreedPrice: AgreedPrice | undefined,
  deps: BillingDependencies,
): Promise<void> {
  requireKept(running, asked);
  if (agreedPrice === undefined || isUnchanged(running, termsAfter(running, asked))) return;
  const { dueNowCents, monthlyCents } = await previewTerms(running, asked, deps);
  const isDearer = dueNowCents > agreedPrice.dueNowCents + roundingCents || monthlyCents > agreedPrice.monthlyCents;
  if (isDearer) throw new AppError('price-changed');
}

/**
 * Changes the terms at the provider and reads the result. Requires the payer's claim and a preceding `requireAgreed`.
 */
export async function changeTerms(
  ctx: Context,
  { payer, userId, teamId }: PayerOfRequest,
  running: Running,
  asked: Partial<Terms>,
  deps: BillingDependencies,
): Promise<void> {
  const { subscriptionId } = running;
  const after = termsAfter(running, asked);
  if (isUnchanged(running, after)) return;
  await recordRequest(ctx, { payer, userId, teamId }, subscriptionId, {
    action: 'subscription.change',
    detail: { from: auditOf(running.held), to: auditOf(after.held), next: auditOf(after.next) },
  });
  try {
    await tellProvider(ctx, payer, { running, after }, deps);
  } finally {
    // Also after a failure: only the provider knows whether the change was made.
    await askProvider(() => syncSubscription(ctx, subscriptionId, deps));
  }
}

/** Records who asked the provider for a change, before asking: its answer, or this process, may be lost. */
async function recordRequest(
  ctx: Context,
  { userId, teamId }: PayerOfRequest,
  subscriptionId: string,
  entry: Pick<AuditEntry, 'action' | 'detail'>,
): Promise<void> {
  const who = { actorUserId: userId, entityId: subscriptionId, teamId };
  await ctx.db.transaction((tx) => recordAudit(tx, ctx.clock.now(), { ...entry, ...who }));
}

const auditOf = ({ tier, quantity }: Terms) => ({ tier, seats: quantity });

/**
 * Makes a change at the provider, which stores only one set of terms, those of the next period. Upgrades are calculated
 * from the terms held now, so that nothing is charged twice; downgrades cost nothing and apply from the next period on.
 */
async function tellProvider(
  ctx: Context,
  payer: Payer,
  { running, after }: { running: Running; after: Pick<Running, 'held' | 'next'> },
  { payments }: BillingDependencies,
): Promise<void> {
  let known = running.next;
  const set = async (terms: Terms, proration: SubscriptionChange['proration'], step: string) => {
    if (sameTerms(known, terms)) return;
    const key = requestKey(ctx, payer, `change:${step}`);
    await askProvider(() => payments.provider.changeSubscription(running.subscriptionId, { ...terms, proration }, key));
    known = terms;
  };
  if (!sameTerms(after.held, running.held)) {
    await set(running.held, 'none', 'held');
    await set(after.held, 'invoice', 'more').catch(async (error: unknown) => {
      await set(running.next, 'none', 'back');
      throw error;
    });
  }
  await set(after.next, 'none', 'next');
}

/** Cancels a subscription at the end of its period, or resumes it until then. Idempotent. */
export async function setCancellation(
  ctx: Context,
  input: { teamId?: string; isCancelled: boolean },
  deps: BillingDependencies,
): Promise<void> {
  const who = await payerOf(ctx, input);
  const { isCancelled } = input;
  await withClaim(ctx, who.payer, deps, async () => {
    const { subscriptionId } = await requireRunning(ctx, who.payer);
    const action = isCancelled ? 'subscription.cancel' : 'subscription.resume';
    await recordRequest(ctx, who, subscriptionId, { action });
    await askProvider(() => deps.payments.provider.setCancelAtPeriodEnd(subscriptionId, isCancelled));
    await askProvider(() => syncSubscription(ctx, subscriptionId, deps));
    // The period may have ended before its event arrived.
    if (!isCancelled) await requireRunning(ctx, who.payer);
  });
}
