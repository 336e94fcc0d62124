import type { Discount, PaidTier, SubscriptionStatus } from '#contract/billing.ts';
import type { Order, PaidTime, Payer } from '../payment-provider.ts';

/** The test mode's data about one customer. Instants are in the book's own time. */
export interface Book {
  customerId: string;
  payer: Payer;
  name: string;
  email: string | null;
  /** True if the test card pays. */
  cardWorks: boolean;
  /** Total charged to the card, minus refunds. */
  takenCents: number;
  /** How far this book's clock is ahead of the real one. */
  aheadMs: number;
  /** Address to which the portal returns. */
  portalReturnUrl: string;
  /** Serial number of the most recent id. */
  serial: number;
  checkouts: BookCheckout[];
  subscriptions: BookSubscription[];
  invoices: BookInvoice[];
}

export interface BookCheckout {
  id: string;
  order: Order;
  /** Idempotency key of the request that opened it. */
  key: string;
  discount: Discount | null;
  status: 'open' | 'complete' | 'expired';
  wasDeclined: boolean;
  subscriptionId: string | null;
  createdAt: number;
}

export interface BookSubscription {
  id: string;
  payer: Payer;
  buyerId: string;
  tier: PaidTier;
  quantity: number;
  discount: Discount | null;
  status: SubscriptionStatus;
  startedAt: number;
  periodStartAt: number;
  periodEndAt: number;
  cancelAtPeriodEnd: boolean;
  endedAt: number | null;
}

export interface BookInvoice {
  id: string;
  paymentId: string;
  /** What it charges for: credit packs, or a subscription's new period or change. */
  reason: 'credits' | 'period' | 'change';
  checkoutId: string | null;
  subscriptionId: string | null;
  tier: PaidTier | null;
  quantity: number;
  description: string;
  /** Time on a plan that it charges for. */
  paidFor: PaidTime[];
  totalCents: number;
  status: 'paid' | 'open' | 'void' | 'refunded';
  createdAt: number;
  /** Failed attempts to charge the card. */
  attempts: number;
}

/** An event in a book, with Stripe's name for its type. */
export interface BookEvent {
  type:
    | 'checkout.session.completed'
    | 'customer.subscription.created'
    | 'customer.subscription.updated'
    | 'customer.subscription.deleted'
    | 'invoice.paid'
    | 'invoice.payment_failed'
    | 'charge.refunded';
  /** Id of the checkout, the subscription, the invoice or (for a refund) the payment. */
  objectId: string;
  createdAt: number;
}

const prefixes = { checkout: 'cs', subscription: 'sub', invoice: 'in', payment: 'pi' } as const;

/** Creates an empty book. `key` is 32 random hexadecimal digits and part of every id in the book. */
export function newBook(key: string, customer: { payer: Payer; name: string; email: string | null }): Book {
  return {
    ...customer,
    customerId: `cus_${key}`,
    cardWorks: true,
    takenCents: 0,
    aheadMs: 0,
    portalReturnUrl: '',
    serial: 0,
    checkouts: [],
    subscriptions: [],
    invoices: [],
  };
}

/** Returns the next id of a kind. */
export function newId(book: Book, kind: keyof typeof prefixes): string {
  book.serial += 1;
  return `${prefixes[kind]}_${book.customerId.slice('cus_'.length)}_${book.serial}`;
}

/** Returns the customer whose book contains an id; undefined if it is not a book's id. */
export function customerOf(id: string): string | undefined {
  const key = /^(?:cs|sub|in|pi|bps|cus)_([0-9a-f]{32})(?:_\d+)?$/.exec(id)?.[1];
  return key === undefined ? undefined : `cus_${key}`;
}

/** Returns true if a subscription has neither ended nor been given up. */
export function isLive({ status }: BookSubscription): boolean {
  return status === 'active' || status === 'past_due';
}

/**
 * Returns the end of the monthly period that contains `at`: the same day and time as the start, or the last day of a
 * shorter month.
 */
export function endOfPeriod(startedAt: number, at: number): number {
  const start = new Date(startedAt);
  const now = new Date(at);
  const months = (now.getUTCFullYear() - start.getUTCFullYear()) * 12 + now.getUTCMonth() - start.getUTCMonth();
  const end = monthsAfter(startedAt, months);
  return end > at ? end : monthsAfter(startedAt, months + 1);
}

function monthsAfter(instant: number, months: number): number {
  const start = new Date(instant);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + months];
  // Day 0 of the next month is the last day of this one.
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay));
  return midnight + (instant % 86_400_000);
}
