import type Stripe from 'stripe';
import { z } from 'zod';
import type { Discount, Invoice, PaidTier, SubscriptionStatus } from '#contract/billing.ts';
import {
  type CheckoutSnapshot,
  checkoutSnapshotSchema,
  type InvoiceSnapshot,
  invoiceSnapshotSchema,
  type PaidTime,
  type Payer,
  type SubscriptionSnapshot,
  subscriptionSnapshotSchema,
} from '../payment-provider.ts';
import { asked, listed, readAs } from './stripe-faults.ts';

type Sold = PaidTier | 'credits';

/** Ids of the account's current prices, and what former prices were for: existing subscriptions keep them. */
export interface StripePrices extends Record<Sold, string> {
  former: Record<string, Sold>;
}

type Linked = string | { id: string } | null | undefined;
const idOf = (linked: Linked): string | null => (typeof linked === 'string' ? linked : (linked?.id ?? null));
const ms = (seconds: number): number => seconds * 1000;

function payerOf(metadata: Stripe.Metadata | null): { payer: Payer | null; buyerId: string | null } {
  const payer = metadata?.['payer'] ?? '';
  return { payer: /^(user|team):./.test(payer) ? (payer as Payer) : null, buyerId: metadata?.['buyer'] ?? null };
}

/** `line_items` must be expanded. */
export function checkoutSnapshot(
  session: Stripe.Checkout.Session,
  prices: StripePrices,
  returnedShare: number,
): CheckoutSnapshot {
  return readAs(checkoutSnapshotSchema, () => {
    const item = session.line_items?.data[0];
    return {
      ...payerOf(session.metadata),
      id: session.id,
      customerId: idOf(session.customer),
      kind: session.mode === 'subscription' ? 'subscription' : 'credits',
      status: session.status === 'complete' ? 'complete' : session.status === 'expired' ? 'expired' : 'open',
      // `no_payment_required`: a promotion code covered the whole amount.
      isPaid: session.status === 'complete' && session.payment_status !== 'unpaid',
      returnedShare,
      subscriptionId: idOf(session.subscription),
      isCreditPrice: session.line_items?.data.length === 1 && soldFor(item?.price?.id ?? '', prices) === 'credits',
      quantity: item?.quantity ?? 0,
      subtotalCents: session.amount_subtotal ?? 0,
      currency: session.currency ?? '',
    };
  });
}

/** The promotion codes and coupons of `discounts`, and the latest invoice, must be expanded. */
export function subscriptionSnapshot(
  subscription: Stripe.Subscription,
  prices: StripePrices,
): SubscriptionSnapshot | undefined {
  return readAs(subscriptionSnapshotSchema.optional(), () => {
    const item = subscription.items.data[0];
    if (item === undefined) return undefined;
    const latest = subscription.latest_invoice;
    return {
      ...payerOf(subscription.metadata),
      id: subscription.id,
      customerId: idOf(subscription.customer) ?? '',
      status: statusOf(subscription.status),
      tier: tierOfPrice(item.price.id, prices),
      quantity: item.quantity ?? 1,
      startedAt: ms(subscription.start_date),
      periodStartAt: ms(item.current_period_start),
      periodEndAt: ms(item.current_period_end),
      // The portal sets a date where the API sets the flag.
      cancelAtPeriodEnd: subscription.cancel_at_period_end || subscription.cancel_at !== null,
      endedAt: subscription.ended_at === null ? null : ms(subscription.ended_at),
      discount: discountOf(subscription.discounts[0]),
      latestInvoice: typeof latest === 'object' && latest !== null ? invoiceSnapshot(latest, prices) : null,
    };
  });
}

function soldFor(priceId: string, prices: StripePrices): Sold | undefined {
  const now = (['Basic', 'Pro', 'credits'] as const).find((sold) => prices[sold] === priceId);
  return now ?? prices.former[priceId];
}

function tierOfPrice(priceId: string, prices: StripePrices): PaidTier | null {
  const sold = soldFor(priceId, prices);
  return sold === undefined || sold === 'credits' ? null : sold;
}

function statusOf(status: Stripe.Subscription.Status): SubscriptionStatus {
  switch (status) {
    case 'active':
    case 'trialing':
      return 'active';
    case 'past_due':
      return 'past_due';
    case 'canceled':
    case 'incomplete_expired':
      return 'canceled';
    case 'incomplete':
      return 'incomplete';
    default:
      return 'unpaid';
  }
}

function discountOf(discount: string | Stripe.Discount | undefined): Discount | null {
  if (discount === undefined || typeof discount === 'string') return null;
  const { coupon } = discount.source;
  const code = typeof discount.promotion_code === 'object' ? discount.promotion_code?.code : undefined;
  return coupon === null || typeof coupon === 'string' ? null : ofCoupon(coupon, code ?? coupon.name ?? coupon.id);
}

/** Returns a promotion code's discount; its coupon must be expanded. */
export function promotionOf({ code, promotion }: Stripe.PromotionCode): Discount | undefined {
  const { coupon } = promotion;
  return coupon === null || typeof coupon === 'string' || !coupon.valid ? undefined : ofCoupon(coupon, code);
}

function ofCoupon({ percent_off: percentOff, amount_off: amountOff }: Stripe.Coupon, code: string): Discount {
  return { code, percentOff, amountOffCents: percentOff === null ? (amountOff ?? 0) : null };
}

/**
 * Returns an invoice's snapshot: it is for a whole period if the subscription begins or renews, and for a change if it
 * is updated.
 */
export function invoiceSnapshot(invoice: Stripe.Invoice, prices: StripePrices): InvoiceSnapshot {
  const reason = invoice.billing_reason;
  const isPeriod = reason === 'subscription_create' || reason === 'subscription_cycle';
  return readAs(invoiceSnapshotSchema, () => ({
    id: invoice.id,
    subscriptionId: idOf(invoice.parent?.subscription_details?.subscription),
    isPaid: invoice.status === 'paid',
    paidFor:
      isPeriod || reason === 'subscription_update'
        ? paidForOf(invoice.lines.data, prices, isPeriod ? 'period' : 'change')
        : [],
  }));
}

/** Returns the time on our plans that lines charge for; a negative line deducts time paid for earlier. */
export function paidForOf(
  lines: Stripe.InvoiceLineItem[],
  prices: StripePrices,
  what: 'period' | 'change',
): PaidTime[] {
  return lines.flatMap(({ parent, pricing, amount, quantity, period }) => {
    const isProration = parent?.subscription_item_details?.proration === true;
    const tier = tierOfPrice(idOf(pricing?.price_details?.price) ?? '', prices);
    if (tier === null || isProration !== (what === 'change')) return [];
    const seats = Math.abs(quantity ?? 1);
    return [{ tier, quantity: amount < 0 ? -seats : seats, startAt: ms(period.start), endAt: ms(period.end) }];
  });
}

/** Returns an invoice as shown to people. */
export function presentInvoice(invoice: Stripe.Invoice): Invoice {
  const isKnown = invoice.status === 'paid' || invoice.status === 'open';
  return {
    invoiceId: invoice.id,
    createdAt: ms(invoice.created),
    description: invoice.description ?? invoice.lines.data[0]?.description ?? invoice.number ?? '',
    totalCents: invoice.total,
    status: isKnown ? (invoice.status as 'paid' | 'open') : 'void',
    url: invoice.hosted_invoice_url ?? null,
  };
}

/** Dispute states in which the bank holds the money; an inquiry (`warning_…`) holds nothing. */
const withdrawn = new Set(['needs_response', 'under_review', 'appeal_needs_response', 'appeal_under_review', 'lost']);

/**
 * Returns the share, 0 to 1, of a payment that was refunded or charged back. The payment's `latest_charge` must be
 * expanded. `totalCents` is the amount due, if it was covered by more than this payment.
 */
export async function returnedShareOf(
  stripe: Stripe,
  payment: string | Stripe.PaymentIntent | null | undefined,
  totalCents = 0,
): Promise<number> {
  if (typeof payment !== 'object' || payment === null) return 0;
  const charge = payment.latest_charge;
  if (typeof charge !== 'object' || charge === null || charge.amount === 0) return 0;
  const disputed = charge.disputed ? await disputedCents(stripe, payment.id) : 0;
  const share = (charge.amount_refunded + disputed) / Math.max(charge.amount, totalCents);
  return readAs(z.number().min(0), () => Math.min(1, share));
}

async function disputedCents(stripe: Stripe, paymentIntent: string): Promise<number> {
  const disputes = await asked(() => stripe.disputes.list({ payment_intent: paymentIntent, limit: 100 }));
  return listed(disputes).reduce((sum, { status, amount }) => sum + (withdrawn.has(status) ? amount : 0), 0);
}
