import {
  type Billing,
  type Discount,
  discounted,
  type Invoice,
  planCents,
  type SubscriptionStatus,
} from '#contract/billing.ts';
import { plans, tierOf } from '#contract/plans.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { countSeats } from '#server/features/teams/index.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { askProvider } from './ask-provider.ts';
import type { BillingDependencies } from './dependencies.ts';
import { payerOf } from './payer.ts';
import { findAccount } from './store.ts';
import { holdsPlan } from './write-subscription.ts';

/** Returns the billing state of the caller, or of a team whose billing they manage. */
export async function getBilling(
  ctx: Context,
  input: { teamId?: string },
  { payments }: Pick<BillingDependencies, 'payments'>,
): Promise<Billing> {
  const { payer, teamId } = await payerOf(ctx, input);
  const account = await findAccount(ctx.db.query, 'payer', payer);
  const { mode, priceIds } = payments.provider;
  const status = (account?.subscriptionStatus ?? null) as SubscriptionStatus | null;
  const tier = tierOf(account?.tier ?? 'Free');
  const nextTier = tierOf(account?.nextTier ?? 'Free');
  const nextQuantity = account?.nextQuantity ?? 0;
  const quantity = account?.quantity ?? 0;
  const cancelAtPeriodEnd = account?.cancelAtPeriodEnd === 1;
  const isLive = holdsPlan(status) && tier !== 'Free';
  const isChanging = isLive && !cancelAtPeriodEnd && (nextTier !== tier || nextQuantity !== quantity);
  const discount = account?.discount ? storedJson<Discount | null>(account.discount, null) : null;
  return {
    ...{ mode, priceIds, tier, cancelAtPeriodEnd },
    monthlyAllowance: plans[tier].creditsPerMonth * quantity,
    customerId: account?.customerId ?? null,
    subscriptionId: account?.subscriptionId ?? null,
    subscriptionStatus: status,
    subscriptionStartDate: account?.startedAt ?? null,
    subscriptionEndDate: account?.periodEndAt ?? null,
    paymentFailed: status === 'past_due' || status === 'unpaid',
    numberOfPaidSeats: quantity,
    assignedSeats: teamId === undefined ? 0 : await countSeats(ctx.db.query, teamId),
    nextAmountCents: isLive && !cancelAtPeriodEnd ? discounted(planCents(nextTier, nextQuantity), discount) : null,
    nextPeriod: isChanging && nextTier !== 'Free' ? { tier: nextTier, numberOfSeats: nextQuantity } : null,
    discount: isLive ? discount : null,
    hasPortal: (account?.customerId ?? null) !== null,
  };
}

/** Returns invoices, newest first. */
export async function listInvoices(
  ctx: Context,
  input: { teamId?: string },
  { payments }: Pick<BillingDependencies, 'payments'>,
): Promise<Invoice[]> {
  const { payer } = await payerOf(ctx, input);
  const customerId = (await findAccount(ctx.db.query, 'payer', payer))?.customerId ?? null;
  return customerId === null ? [] : askProvider(() => payments.provider.listInvoices(customerId));
}

/** Opens the page for changing the card and viewing invoices. */
export async function openPortal(
  ctx: Context,
  input: { teamId?: string },
  { payments, publicUrl }: BillingDependencies,
): Promise<{ url: string }> {
  const { payer, teamId } = await payerOf(ctx, input);
  const customerId = (await findAccount(ctx.db.query, 'payer', payer))?.customerId ?? null;
  if (customerId === null) throw new AppError('nothing-paid-yet');
  const back = teamId === undefined ? '/account#billing' : `/team?tab=plan&teamId=${encodeURIComponent(teamId)}`;
  return { url: await askProvider(() => payments.provider.openPortal(customerId, `${publicUrl}${back}`)) };
}
