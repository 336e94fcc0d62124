import { type Discount, type PaidTier, paidTiers } from '#contract/billing.ts';
import type { Tier } from '#contract/plans.ts';
import { announceCredits } from '#server/features/credits/index.ts';
import { trimSeats } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Payer, SubscriptionSnapshot } from '#server/platform/payments/payment-provider.ts';
import { teamIdOf } from './payer.ts';
import { type AccountRow, updateAccount, writeStanding } from './store.ts';

/**
 * Returns true if a subscription with this status holds a plan: while it is paid, and while a failed payment is
 * retried.
 */
export function holdsPlan(status: string | null): boolean {
  return status === 'active' || status === 'past_due';
}

/** A subscription as read from the provider, with the allowance paid for. */
interface Reading {
  subscription: SubscriptionSnapshot;
  allowance: number;
  allowanceStartAt: number | null;
}

/**
 * Stores a payer's subscription state in the billing account and in the user's or team's own row. The payer's row must
 * be locked. Within a period no plan and no seat is lost, since they are paid for. Surplus seats are taken from the
 * members who joined last.
 */
export async function writeSubscription(
  tx: Transaction,
  account: AccountRow,
  { subscription, allowance, allowanceStartAt }: Reading,
  now: number,
): Promise<void> {
  const { payer } = account;
  const teamId = teamIdOf(payer);
  const next = termsOf(subscription, teamId);
  const held = next && heldTerms(account, subscription, next);
  const isLive = held !== undefined;
  const { tier, quantity }: { tier: Tier; quantity: number } = held ?? { tier: 'Free', quantity: 0 };
  const { discount } = subscription;
  await updateAccount(tx, payer, {
    subscriptionId: subscription.id,
    subscriptionStatus: subscription.status,
    ...{ tier, quantity, nextTier: next?.tier ?? 'Free', nextQuantity: next?.quantity ?? 0 },
    startedAt: subscription.startedAt,
    periodStartAt: subscription.periodStartAt,
    periodEndAt: subscription.periodEndAt,
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd ? 1 : 0,
    discount: discount === null ? null : JSON.stringify(discount),
  });
  await writeStanding(
    tx,
    payer,
    {
      tier,
      monthlyAllowance: allowance,
      allowanceStartAt,
      customerId: account.customerId,
      subscriptionId: subscription.id,
      subscriptionStatus: subscription.status,
      subscriptionStartAt: subscription.startedAt,
      subscriptionEndAt: subscription.endedAt ?? subscription.periodEndAt,
    },
    { numberOfPaidSeats: quantity, ...discountColumns(isLive ? discount : null) },
  );
  if (teamId !== undefined) await trimSeats(tx, teamId, quantity);
  const isSame =
    account.tier === tier &&
    account.quantity === quantity &&
    account.nextTier === (next?.tier ?? 'Free') &&
    account.nextQuantity === (next?.quantity ?? 0) &&
    account.subscriptionStatus === subscription.status &&
    account.cancelAtPeriodEnd === (subscription.cancelAtPeriodEnd ? 1 : 0);
  if (!isSame) {
    await recordAudit(tx, now, {
      actorUserId: null,
      action: 'subscription.update',
      entityId: subscription.id,
      detail: {
        ...{ tier, seats: quantity, status: subscription.status, cancels: subscription.cancelAtPeriodEnd },
        ...(held !== undefined && next !== undefined && !sameTerms(held, next) ? { next } : {}),
      },
      ...(teamId === undefined ? {} : { teamId }),
    });
  }
  await announceBilling(tx, payer);
}

/** Returns the terms that a subscription charges for; undefined if it holds no plan. */
function termsOf({ status, tier, quantity }: SubscriptionSnapshot, teamId: string | undefined): Terms | undefined {
  if (!holdsPlan(status) || tier === null) return undefined;
  return { tier, quantity: teamId === undefined ? 1 : quantity };
}

function heldTerms(account: AccountRow, { id, periodStartAt }: SubscriptionSnapshot, next: Terms): Terms {
  const held = heldBy(account);
  const isSamePeriod = account.subscriptionId === id && account.periodStartAt === periodStartAt;
  return held !== undefined && isSamePeriod ? higherOf(held, next) : next;
}

/** Returns the plan and seats that an account holds now; undefined without a plan. */
export function heldBy({ subscriptionStatus, tier, quantity }: AccountRow): Terms | undefined {
  const isPaid = holdsPlan(subscriptionStatus) && (tier === 'Basic' || tier === 'Pro');
  return isPaid ? { tier: tier as PaidTier, quantity } : undefined;
}

/** Returns the discount columns; either percent or cents is set. */
function discountColumns(discount: Discount | null) {
  return {
    discountCode: discount?.code ?? null,
    discountAmount: discount === null ? null : Math.round(discount.percentOff ?? discount.amountOffCents ?? 0),
  };
}

/** Resets a payer to the Free plan, without provider data. The payer's row must be locked. */
export async function writeFree(tx: Transaction, payer: Payer): Promise<void> {
  const teamId = teamIdOf(payer);
  const nothing = { customerId: null, subscriptionId: null, subscriptionStatus: null };
  await writeStanding(
    tx,
    payer,
    { ...nothing, tier: 'Free', monthlyAllowance: 0, allowanceStartAt: null, subscriptionEndAt: null },
    { numberOfPaidSeats: 0, discountCode: null, discountAmount: null },
  );
  if (teamId !== undefined) await trimSeats(tx, teamId, 0);
  await announceBilling(tx, payer);
}

/** Makes open pages of a payer, and of a team's members, reload plan, seats and credits. */
export async function announceBilling(tx: Transaction, payer: Payer): Promise<void> {
  announceChange(tx, { collection: 'billing', audience: payer });
  const teamId = teamIdOf(payer);
  await announceCredits(tx, payer);
  if (teamId === undefined) announceChange(tx, { collection: 'users', audience: payer });
}

/** A plan and a number of seats. */
export interface Terms {
  tier: PaidTier;
  quantity: number;
}

const rankOf = (tier: PaidTier) => paidTiers.indexOf(tier);
export const sameTerms = (a: Terms, b: Terms) => a.tier === b.tier && a.quantity === b.quantity;

/** Returns the higher plan and the larger number of seats of two. */
function higherOf(a: Terms, b: Terms): Terms {
  return { tier: rankOf(a.tier) >= rankOf(b.tier) ? a.tier : b.tier, quantity: Math.max(a.quantity, b.quantity) };
}

/**
 * Returns the terms after a change of plan or seats. Increases apply at once, reductions from the next period on. Plan
 * and seats are decided separately, so that adding a seat does not undo a downgrade chosen for the next period.
 */
export function termsAfter(
  { held, next }: { held: Terms; next: Terms },
  asked: Partial<Terms>,
): { held: Terms; next: Terms } {
  return { held: higherOf(held, { ...held, ...asked }), next: { ...next, ...asked } };
}
