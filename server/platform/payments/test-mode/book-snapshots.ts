import type { Invoice } from '#contract/billing.ts';
import type { CheckoutSnapshot, InvoiceSnapshot, SubscriptionSnapshot } from '../payment-provider.ts';
import type { Book, BookCheckout, BookInvoice, BookSubscription } from './book.ts';
import { unitCents } from './book-checkouts.ts';

/** Converts a payment page to the port's snapshot. */
export function checkoutSnapshot(book: Book, { id, order, status, subscriptionId }: BookCheckout): CheckoutSnapshot {
  const payment = book.invoices.find((invoice) => invoice.checkoutId === id);
  const { payer, buyerId, what, quantity } = order;
  return {
    ...{ id, payer, buyerId, status, subscriptionId, quantity },
    customerId: book.customerId,
    kind: what.kind,
    isPaid: status === 'complete',
    returnedShare: payment?.status === 'refunded' ? 1 : 0,
    isCreditPrice: what.kind === 'credits',
    subtotalCents: unitCents(order) * quantity,
    currency: 'usd',
  };
}

/** Converts a subscription to the port's snapshot. */
export function subscriptionSnapshot(book: Book, subscription: BookSubscription): SubscriptionSnapshot {
  const latest = book.invoices.findLast(({ subscriptionId }) => subscriptionId === subscription.id);
  return {
    ...subscription,
    customerId: book.customerId,
    latestInvoice: latest === undefined ? null : invoiceSnapshot(latest),
  };
}

/** Converts an invoice to the port's snapshot. */
export function invoiceSnapshot(invoice: BookInvoice): InvoiceSnapshot {
  const { id, subscriptionId, paidFor, status } = invoice;
  return { id, subscriptionId, isPaid: status === 'paid', paidFor };
}

/** Returns a book's invoices as shown to people, newest first. */
export function invoicesOf(book: Book): Invoice[] {
  return book.invoices
    .map(({ id, createdAt, description, totalCents, status }) => {
      return { invoiceId: id, createdAt, description, totalCents, status, url: null };
    })
    .reverse()
    .slice(0, 100);
}
