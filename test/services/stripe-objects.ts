import { type Discount, planCents } from '#contract/billing.ts';
import type { PaidTime } from '#server/platform/payments/payment-provider.ts';
import type { Book, BookCheckout, BookInvoice, BookSubscription } from '#server/platform/payments/test-mode/book.ts';
import { totalOf, unitCents } from '#server/platform/payments/test-mode/book-checkouts.ts';

export const loopbackPrices = { Basic: 'price_basic', Pro: 'price_pro', credits: 'price_credits', former: {} };

/** Refunded or disputed money of one payment, in cents. */
export interface Returned {
  refunded: number;
  disputed: number;
  /** The dispute's status. */
  status: string;
}

/** By payment id. */
export type Returns = Map<string, Returned>;

const seconds = (at: number | null) => (at === null ? null : Math.floor(at / 1000));

/** Returns an object of the books in Stripe's format, expanded as our requests ask. */
export function stripeObject(
  book: Book,
  id: string,
  type: string,
  { url, returns }: { url: string; returns: Returns },
): unknown {
  if (type.startsWith('charge.')) return { id: `ch_${id}`, object: 'charge', payment_intent: id };
  const checkout = book.checkouts.find((candidate) => candidate.id === id);
  if (checkout) return checkoutObject(book, checkout, { url, returns });
  const subscription = book.subscriptions.find((candidate) => candidate.id === id);
  if (subscription) return subscriptionObject(book, subscription);
  const invoice = book.invoices.find((candidate) => candidate.id === id);
  return invoice && invoiceObject(book, invoice);
}

export function paymentObject({ paymentId, totalCents }: BookInvoice, returns: Returns): unknown {
  const { refunded = 0, disputed = 0 } = returns.get(paymentId) ?? {};
  return {
    id: paymentId,
    object: 'payment_intent',
    latest_charge: {
      id: `ch_${paymentId}`,
      object: 'charge',
      amount: totalCents,
      amount_refunded: refunded,
      refunded: refunded === totalCents,
      disputed: disputed > 0,
    },
  };
}

export function checkoutObject(
  book: Book,
  checkout: BookCheckout,
  { url, returns }: { url: string; returns: Returns },
): unknown {
  const { order } = checkout;
  const payment = book.invoices.find((invoice) => invoice.checkoutId === checkout.id);
  const isCredits = order.what.kind === 'credits';
  return {
    id: checkout.id,
    object: 'checkout.session',
    customer: book.customerId,
    client_reference_id: order.payer,
    metadata: { payer: order.payer, buyer: order.buyerId },
    mode: isCredits ? 'payment' : 'subscription',
    status: checkout.status,
    payment_status: checkout.status === 'complete' ? 'paid' : 'unpaid',
    subscription: checkout.subscriptionId,
    payment_intent: isCredits && payment && payment.totalCents > 0 ? paymentObject(payment, returns) : null,
    line_items: {
      object: 'list',
      data: [
        {
          id: 'li_1',
          object: 'item',
          quantity: order.quantity,
          price: {
            id: order.what.kind === 'credits' ? loopbackPrices.credits : loopbackPrices[order.what.tier],
            object: 'price',
          },
        },
      ],
    },
    amount_subtotal: unitCents(order) * order.quantity,
    amount_total: totalOf(checkout),
    currency: 'usd',
    livemode: false,
    success_url: order.returnUrl,
    cancel_url: order.cancelUrl,
    url: checkout.status === 'open' ? `${url}/pay/${checkout.id}` : null,
  };
}

export function subscriptionObject(book: Book, subscription: BookSubscription): unknown {
  const { id, payer, buyerId, tier, quantity, status, discount } = subscription;
  const latest = book.invoices.findLast(({ subscriptionId }) => subscriptionId === id);
  return {
    ...{ id, status },
    object: 'subscription',
    customer: book.customerId,
    metadata: { payer, buyer: buyerId },
    start_date: seconds(subscription.startedAt),
    cancel_at: null,
    cancel_at_period_end: subscription.cancelAtPeriodEnd,
    ended_at: seconds(subscription.endedAt),
    livemode: false,
    latest_invoice: latest === undefined ? null : invoiceObject(book, latest),
    discounts: discount === null ? [] : [discountObject(discount)],
    items: {
      object: 'list',
      data: [
        {
          id: `si_${id}`,
          object: 'subscription_item',
          price: { id: loopbackPrices[tier], object: 'price' },
          quantity,
          current_period_start: seconds(subscription.periodStartAt),
          current_period_end: seconds(subscription.periodEndAt),
        },
      ],
    },
  };
}

function discountObject(discount: Discount): unknown {
  return {
    id: 'di_1',
    object: 'discount',
    promotion_code: { id: `promo_${discount.code}`, object: 'promotion_code', code: discount.code },
    source: { type: 'coupon', coupon: couponObject(discount) },
  };
}

function couponObject({ percentOff, amountOffCents }: Discount): unknown {
  return { id: 'coupon_1', object: 'coupon', valid: true, percent_off: percentOff, amount_off: amountOffCents };
}

export function promotionObject(discount: Discount): unknown {
  return {
    id: `promo_${discount.code}`,
    object: 'promotion_code',
    active: true,
    code: discount.code,
    promotion: { type: 'coupon', coupon: couponObject(discount) },
  };
}

export function invoiceObject(book: Book, invoice: BookInvoice): unknown {
  const reasons = { credits: 'manual', change: 'subscription_update' };
  const first = book.invoices.find(({ subscriptionId }) => subscriptionId === invoice.subscriptionId);
  const periodReason = first === invoice ? 'subscription_create' : 'subscription_cycle';
  return {
    id: invoice.id,
    object: 'invoice',
    customer: book.customerId,
    billing_reason: invoice.reason === 'period' ? periodReason : reasons[invoice.reason],
    status: invoice.status === 'refunded' ? 'paid' : invoice.status,
    created: seconds(invoice.createdAt),
    description: invoice.description,
    total: invoice.totalCents,
    hosted_invoice_url: `https://invoice.example/${invoice.id}`,
    number: invoice.id,
    livemode: false,
    parent:
      invoice.subscriptionId === null
        ? null
        : { type: 'subscription_details', subscription_details: { subscription: invoice.subscriptionId } },
    lines: linesObject(invoice.paidFor, invoice.reason === 'change'),
  };
}

/** Returns the lines of an invoice or of a preview. */
export function linesObject(paidFor: PaidTime[], proration: boolean): unknown {
  const data = paidFor.map(({ tier, quantity, startAt, endAt }, index) => ({
    id: `il_${index}`,
    object: 'line_item',
    description: `${quantity} × ${tier}`,
    quantity: Math.abs(quantity),
    amount: planCents(tier, quantity),
    period: { start: seconds(startAt), end: seconds(endAt) },
    parent: { type: 'subscription_item_details', subscription_item_details: { proration } },
    pricing: { type: 'price_details', price_details: { price: loopbackPrices[tier] } },
  }));
  return { object: 'list', data };
}
