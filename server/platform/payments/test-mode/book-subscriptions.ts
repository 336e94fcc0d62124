import { discounted, planCents } from '#contract/billing.ts';
import { countOf } from '#contract/quantities.ts';
import { type Payer, PaymentError, type PreviewedChange, type SubscriptionChange } from '../payment-provider.ts';
import {
  type Book,
  type BookEvent,
  type BookInvoice,
  type BookSubscription,
  endOfPeriod,
  isLive,
  newId,
} from './book.ts';

const dayMs = 86_400_000;
/** A failed payment is retried after these numbers of days; if the last retry fails too, the subscription ends. */
const retryDays = [3, 5, 7];

type Terms = Pick<SubscriptionChange, 'tier' | 'quantity'>;

/** Returns the cost of a change: the rest of the period at the new price, minus the rest at the old one. */
export function previewChange(subscription: BookSubscription, to: Terms, now: number): PreviewedChange {
  const { periodStartAt, periodEndAt, discount } = subscription;
  const monthly = ({ tier, quantity }: Terms) => discounted(planCents(tier, quantity), discount);
  const startAt = Math.min(Math.max(now, periodStartAt), periodEndAt);
  const left = (periodEndAt - startAt) / (periodEndAt - periodStartAt);
  return {
    dueNowCents: Math.max(0, Math.ceil((monthly(to) - monthly(subscription)) * left)),
    monthlyCents: monthly(to),
    renewsAt: periodEndAt,
    paidFor: [
      { tier: subscription.tier, quantity: -subscription.quantity, startAt, endAt: periodEndAt },
      { tier: to.tier, quantity: to.quantity, startAt, endAt: periodEndAt },
    ],
  };
}

/** Changes plan and quantity at once; refuses (`declined`) if the card does not pay the amount due. */
export function changeSubscription(
  book: Book,
  subscription: BookSubscription,
  change: SubscriptionChange,
  now: number,
): BookEvent[] {
  if (!isLive(subscription)) return [];
  const { tier, quantity, proration } = change;
  if (tier === subscription.tier && quantity === subscription.quantity) return [];
  const { dueNowCents, paidFor } = previewChange(subscription, change, now);
  const events: BookEvent[] = [];
  if (proration === 'invoice') {
    if (dueNowCents > 0 && !book.cardWorks) throw new PaymentError('declined', 'the made-up card does not pay');
    const description = `Change to ${tier}${seatsOf(subscription.payer, quantity)}, for the rest of the period`;
    const invoice = addInvoice(
      book,
      { ...subscription, tier, quantity },
      { now, description, totalCents: dueNowCents, paidFor },
    );
    invoice.reason = 'change';
    invoice.status = 'paid';
    book.takenCents += dueNowCents;
    events.push({ type: 'invoice.paid', objectId: invoice.id, createdAt: now });
  }
  Object.assign(subscription, { tier, quantity });
  return [{ type: 'customer.subscription.updated', objectId: subscription.id, createdAt: now }, ...events];
}

export function setCancelAtPeriodEnd(subscription: BookSubscription, isCancelled: boolean, now: number): BookEvent[] {
  if (!isLive(subscription) || subscription.cancelAtPeriodEnd === isCancelled) return [];
  subscription.cancelAtPeriodEnd = isCancelled;
  return [{ type: 'customer.subscription.updated', objectId: subscription.id, createdAt: now }];
}

/** Ends a subscription at once; its open invoices become void. */
export function endSubscription(book: Book, subscription: BookSubscription, now: number): BookEvent[] {
  if (!isLive(subscription)) return [];
  Object.assign(subscription, { status: 'canceled', endedAt: now });
  for (const invoice of book.invoices) {
    if (invoice.subscriptionId === subscription.id && invoice.status === 'open') invoice.status = 'void';
  }
  return [{ type: 'customer.subscription.deleted', objectId: subscription.id, createdAt: now }];
}

/** Sets a card; a working one pays open invoices. */
export function setCard(book: Book, works: boolean, now: number): BookEvent[] {
  book.cardWorks = works;
  if (!works) return [];
  return book.subscriptions.flatMap((subscription) => {
    const open = openInvoiceOf(book, subscription);
    return open === undefined ? [] : settle(book, subscription, open, now);
  });
}

/** Returns when a subscription next changes without user action: its period ends, or an open invoice is retried. */
export function nextDueAt(book: Book, subscription: BookSubscription): number | undefined {
  if (!isLive(subscription)) return undefined;
  const open = openInvoiceOf(book, subscription);
  if (open === undefined) return subscription.periodEndAt;
  const days = retryDays.slice(0, open.attempts).reduce((sum, wait) => sum + wait, 0);
  return open.createdAt + days * dayMs;
}

/** Carries out everything due by now, in order: renewals, retries, ends. */
export function runDue(book: Book, now: number): BookEvent[] {
  return book.subscriptions.flatMap((subscription) => {
    const events: BookEvent[] = [];
    for (let dueAt = nextDueAt(book, subscription); dueAt !== undefined && dueAt <= now; ) {
      events.push(...runNext(book, subscription, dueAt));
      dueAt = nextDueAt(book, subscription);
    }
    return events;
  });
}

function runNext(book: Book, subscription: BookSubscription, now: number): BookEvent[] {
  const open = openInvoiceOf(book, subscription);
  if (open !== undefined)
    return book.cardWorks ? settle(book, subscription, open, now) : fail(book, subscription, open, now);
  if (subscription.cancelAtPeriodEnd) return endSubscription(book, subscription, now);
  subscription.periodStartAt = subscription.periodEndAt;
  subscription.periodEndAt = endOfPeriod(subscription.startedAt, subscription.periodStartAt);
  const { tier, quantity, discount } = subscription;
  const price = discounted(planCents(tier, quantity), discount);
  const description = `${tier} plan${seatsOf(subscription.payer, quantity)}`;
  const paidFor = [{ tier, quantity, startAt: subscription.periodStartAt, endAt: subscription.periodEndAt }];
  const invoice = addInvoice(book, subscription, { now, description, totalCents: price, paidFor });
  return book.cardWorks || invoice.totalCents === 0
    ? settle(book, subscription, invoice, now)
    : fail(book, subscription, invoice, now);
}

function settle(book: Book, subscription: BookSubscription, invoice: BookInvoice, now: number): BookEvent[] {
  invoice.status = 'paid';
  book.takenCents += invoice.totalCents;
  subscription.status = 'active';
  return [
    { type: 'invoice.paid', objectId: invoice.id, createdAt: now },
    { type: 'customer.subscription.updated', objectId: subscription.id, createdAt: now },
  ];
}

function fail(book: Book, subscription: BookSubscription, invoice: BookInvoice, now: number): BookEvent[] {
  invoice.attempts += 1;
  subscription.status = 'past_due';
  const failed: BookEvent = { type: 'invoice.payment_failed', objectId: invoice.id, createdAt: now };
  if (invoice.attempts > retryDays.length) return [failed, ...endSubscription(book, subscription, now)];
  return [failed, { type: 'customer.subscription.updated', objectId: subscription.id, createdAt: now }];
}

/** Returns ', 3 seats' for a team; a person's plan has no seats. */
function seatsOf(payer: Payer, quantity: number): string {
  return payer.startsWith('user:') ? '' : `, ${countOf(quantity, 'seat')}`;
}

function openInvoiceOf(book: Book, { id }: BookSubscription): BookInvoice | undefined {
  return book.invoices.find((invoice) => invoice.subscriptionId === id && invoice.status === 'open');
}

function addInvoice(
  book: Book,
  { id: subscriptionId, tier, quantity }: BookSubscription,
  {
    now,
    description,
    totalCents,
    paidFor,
  }: { now: number } & Pick<BookInvoice, 'description' | 'totalCents' | 'paidFor'>,
): BookInvoice {
  const invoice: BookInvoice = {
    ...{ subscriptionId, tier, quantity, description, totalCents, paidFor },
    id: newId(book, 'invoice'),
    paymentId: newId(book, 'payment'),
    reason: 'period',
    checkoutId: null,
    status: 'open',
    createdAt: now,
    attempts: 0,
  };
  book.invoices.push(invoice);
  return invoice;
}
