import { creditPackCents, type Discount, discounted, planCents } from '#contract/billing.ts';
import { plans } from '#contract/plans.ts';
import { countOf } from '#contract/quantities.ts';
import { type Order, PaymentError } from '../payment-provider.ts';
import { type Book, type BookCheckout, type BookEvent, type BookInvoice, endOfPeriod, newId } from './book.ts';

/** Opens a payment page; a repeated request returns the same page, and another request with its key is refused. */
export function openCheckout(
  book: Book,
  { order, key, discount }: Pick<BookCheckout, 'order' | 'key' | 'discount'>,
  now: number,
): BookCheckout {
  const earlier = book.checkouts.find((checkout) => checkout.key === key);
  if (earlier !== undefined) {
    if (JSON.stringify(earlier.order) === JSON.stringify(order)) return earlier;
    throw new PaymentError('key-reused', 'another page was opened under this key');
  }
  const checkout: BookCheckout = {
    ...{ order, key, discount },
    id: newId(book, 'checkout'),
    status: 'open',
    wasDeclined: false,
    subscriptionId: null,
    createdAt: now,
  };
  book.checkouts.push(checkout);
  return checkout;
}

/** Returns the price of one unit before discounts. */
export function unitCents({ what }: Order): number {
  return what.kind === 'credits' ? creditPackCents : planCents(what.tier, 1);
}

/** Returns the total of a payment page. */
export function totalOf({ order, discount }: Pick<BookCheckout, 'order' | 'discount'>): number {
  return discounted(unitCents(order) * order.quantity, discount);
}

/** Describes the items of a payment page in words. */
export function describeOrder({ what, payer, quantity }: Order): string {
  if (what.kind === 'credits') return `${quantity} × credit pack`;
  const price = `$${plans[what.tier].usdPerMonth} a month`;
  return payer.startsWith('user:')
    ? `${what.tier} plan, ${price}`
    : `${what.tier} plan, ${countOf(quantity, 'seat')}, ${price} each`;
}

/** Pays with a working card. Has no effect on a page that is already paid or expired. */
export function payCheckout(book: Book, checkout: BookCheckout, discount: Discount | null, now: number): BookEvent[] {
  if (checkout.status !== 'open') return [];
  checkout.status = 'complete';
  checkout.discount = discount;
  book.cardWorks = true;
  const events: BookEvent[] = [{ type: 'checkout.session.completed', objectId: checkout.id, createdAt: now }];
  const { what, payer, buyerId, quantity } = checkout.order;
  const invoice: BookInvoice = {
    id: newId(book, 'invoice'),
    paymentId: newId(book, 'payment'),
    reason: what.kind === 'credits' ? 'credits' : 'period',
    checkoutId: checkout.id,
    subscriptionId: null,
    tier: what.kind === 'credits' ? null : what.tier,
    quantity,
    description: describeOrder(checkout.order),
    paidFor: what.kind === 'credits' ? [] : [{ tier: what.tier, quantity, startAt: now, endAt: endOfPeriod(now, now) }],
    totalCents: totalOf(checkout),
    status: 'paid',
    createdAt: now,
    attempts: 0,
  };
  book.invoices.push(invoice);
  book.takenCents += invoice.totalCents;
  if (what.kind === 'credits') return events;
  checkout.subscriptionId = newId(book, 'subscription');
  invoice.subscriptionId = checkout.subscriptionId;
  book.subscriptions.push({
    ...{ payer, buyerId, quantity, discount, tier: what.tier },
    id: checkout.subscriptionId,
    status: 'active',
    startedAt: now,
    periodStartAt: now,
    periodEndAt: endOfPeriod(now, now),
    cancelAtPeriodEnd: false,
    endedAt: null,
  });
  events.push({ type: 'customer.subscription.created', objectId: checkout.subscriptionId, createdAt: now });
  events.push({ type: 'invoice.paid', objectId: invoice.id, createdAt: now });
  return events;
}

/** Refunds a payment for credits in full; repeating it has no effect. Refuses (`not-refundable`) any other payment. */
export function refundPayment(book: Book, paymentId: string, now: number): BookEvent[] {
  const invoice = book.invoices.find((candidate) => candidate.paymentId === paymentId);
  if (invoice?.reason === 'credits' && invoice.status === 'refunded') return [];
  if (invoice?.reason !== 'credits' || invoice.status !== 'paid') {
    throw new PaymentError('not-refundable', 'there is no payment for credits with this id');
  }
  invoice.status = 'refunded';
  book.takenCents -= invoice.totalCents;
  return [{ type: 'charge.refunded', objectId: paymentId, createdAt: now }];
}
