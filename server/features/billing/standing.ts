import type { Discount } from '#contract/billing.ts';
import { plans, type Tier } from '#contract/plans.ts';
import { announceCredits } from '#server/features/credits/index.ts';
import { trimSeats } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Payer, SubscriptionSnapshot } from '#server/platform/payments/payment-provider.ts';
import { teamIdOf } from './payer.ts';
import { type AccountRow, updateAccount, writeStanding } from './store.ts';

/** A plan holds while its subscription is paid, and while a failed payment is tried again. */
export function holdsPlan(status: string | null): boolean {
  return status === 'active' || status === 'past_due';
}

/**
 * Writes how a payer stands by a subscription as it was read: the account, and what the person's or team's own row says
 * of it. The payer's row must be held. Seats beyond those paid for are taken from whoever joined last.
 */
export async function writeSubscription(
  tx: Transaction,
  account: AccountRow,
  subscription: SubscriptionSnapshot,
  now: number,
): Promise<void> {
  const { payer } = account;
  const teamId = teamIdOf(payer);
  const isLive = holdsPlan(subscription.status) && subscription.tier !== null;
  const tier: Tier = isLive && subscription.tier !== null ? subscription.tier : 'Free';
  const quantity = !isLive ? 0 : teamId === undefined ? 1 : subscription.quantity;
  const { discount } = subscription;
  await updateAccount(tx, payer, {
    subscriptionId: subscription.id,
    subscriptionStatus: subscription.status,
    ...{ tier, quantity, startedAt: subscription.startedAt, periodEndAt: subscription.periodEndAt },
    cancelAtPeriodEnd: subscription.cancelAtPeriodEnd ? 1 : 0,
    discount: discount === null ? null : JSON.stringify(discount),
  });
  await writeStanding(
    tx,
    payer,
    {
      tier,
      monthlyAllowance: plans[tier].creditsPerMonth * quantity,
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
    account.subscriptionStatus === subscription.status &&
    account.cancelAtPeriodEnd === (subscription.cancelAtPeriodEnd ? 1 : 0);
  if (!isSame) {
    await recordAudit(tx, now, {
      actorUserId: null,
      action: 'subscription.update',
      entityId: subscription.id,
      detail: { tier, seats: quantity, status: subscription.status, cancels: subscription.cancelAtPeriodEnd },
      ...(teamId === undefined ? {} : { teamId }),
    });
  }
  announceBilling(tx, payer);
}

/** Percent, or cents: which of the two the account's discount says. */
function discountColumns(discount: Discount | null) {
  return {
    discountCode: discount?.code ?? null,
    discountAmount: discount === null ? null : Math.round(discount.percentOff ?? discount.amountOffCents ?? 0),
  };
}

/** Puts a payer back to Free, with nothing at any provider. The payer's row must be held. */
export async function writeFree(tx: Transaction, payer: Payer): Promise<void> {
  const teamId = teamIdOf(payer);
  const nothing = { customerId: null, subscriptionId: null, subscriptionStatus: null };
  await writeStanding(
    tx,
    payer,
    { ...nothing, tier: 'Free', monthlyAllowance: 0, subscriptionEndAt: null },
    { numberOfPaidSeats: 0, discountCode: null, discountAmount: null },
  );
  if (teamId !== undefined) await trimSeats(tx, teamId, 0);
  announceBilling(tx, payer);
}

/** Tells whoever looks at a payer's plan, seats or credits to read them again. */
export function announceBilling(tx: Transaction, payer: Payer): void {
  announceChange(tx, { collection: 'billing', audience: payer });
  announceChange(tx, { collection: payer.startsWith('team:') ? 'teams' : 'users', audience: payer });
  if (payer.startsWith('team:')) announceChange(tx, { collection: 'memberships', audience: payer });
  announceCredits(tx, payer);
}
