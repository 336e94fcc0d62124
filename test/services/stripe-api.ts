import { randomBytes } from 'node:crypto';
import type { Discount, PaidTier } from '#contract/billing.ts';
import type { Payer } from '#server/platform/payments/payment-provider.ts';
import { type Book, type BookEvent, customerOf, newBook } from '#server/platform/payments/test-mode/book.ts';
import { openCheckout } from '#server/platform/payments/test-mode/book-checkouts.ts';
import {
  changeSubscription,
  endSubscription,
  previewChange,
  setCancelAtPeriodEnd,
} from '#server/platform/payments/test-mode/book-subscriptions.ts';
import { type Form, textAt } from './stripe-form.ts';
import {
  checkoutObject,
  invoiceObject,
  linesObject,
  loopbackPrices,
  paymentObject,
  promotionObject,
  type Returns,
  subscriptionObject,
} from './stripe-objects.ts';

/** The state behind the responses. */
interface StripeState {
  url: string;
  books: Map<string, Book>;
  promotions: Discount[];
  returns: Returns;
  portalConfigurations: { id: string }[];
  withCodes: Set<string>;
  now(): number;
}

/** An error in Stripe's format. */
export interface StripeFault {
  status: number;
  type: string;
  code?: string;
  message: string;
}

interface Request {
  method: string;
  path: string;
  form: Form;
  key: string;
}

interface Outcome {
  status: number;
  body: unknown;
  events: { book: Book; event: BookEvent }[];
}

const done = (body: unknown, book?: Book, events: BookEvent[] = []): Outcome => ({
  status: 200,
  body,
  events: book === undefined ? [] : events.map((event) => ({ book, event })),
});
const listOf = (all: unknown[], limit = 100) =>
  done({ object: 'list', data: all.slice(0, limit), has_more: all.length > limit });
const missing = (id: string): Outcome => ({
  status: 404,
  body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: `No such object: '${id}'` } },
  events: [],
});

const refused = (message: string): Outcome => ({
  status: 400,
  body: { error: { type: 'invalid_request_error', message } },
  events: [],
});

/** Handles one valid Stripe request. */
export function answerRequest(server: StripeState, request: Request): Outcome {
  const [, , ...parts] = request.path.split('/');
  const [collection, ...rest] = parts[0] === 'checkout' || parts[0] === 'billing_portal' ? parts.slice(1) : parts;
  switch (parts[0] === 'billing_portal' ? 'portal' : collection) {
    case 'customers':
      return createCustomer(server, request);
    case 'sessions':
      return checkouts(server, request, rest);
    case 'subscriptions':
      return subscriptions(server, request, rest[0] ?? '');
    case 'invoices':
      return invoices(server, request, rest[0]);
    case 'invoice_payments':
      return invoicePayments(server, textAt(request.form, 'payment', 'payment_intent') ?? '');
    case 'disputes': {
      const { disputed = 0, status } = server.returns.get(textAt(request.form, 'payment_intent') ?? '') ?? {};
      return listOf(disputed === 0 ? [] : [{ id: 'dp_1', object: 'dispute', amount: disputed, status }]);
    }
    case 'promotion_codes': {
      const code = (textAt(request.form, 'code') ?? '').toLowerCase();
      return listOf(server.promotions.filter((one) => one.code.toLowerCase() === code).map(promotionObject));
    }
    case 'portal': {
      if (rest.length === 0 && parts[1] === 'configurations') return portalConfigurations(server, request);
      const configuration = textAt(request.form, 'configuration') ?? '';
      if (!server.portalConfigurations.some(({ id }) => id === configuration)) return missing(configuration);
      const book = server.books.get(textAt(request.form, 'customer') ?? '');
      if (book === undefined) return missing('customer');
      book.portalReturnUrl = textAt(request.form, 'return_url') ?? '';
      return done({ id: 'bps_1', object: 'billing_portal.session', url: `${server.url}/portal/${book.customerId}` });
    }
    default:
      return missing(request.path);
  }
}

function portalConfigurations(server: StripeState, { form, method }: Request): Outcome {
  if (method !== 'POST') return listOf(server.portalConfigurations);
  const made = {
    id: `bpc_${server.portalConfigurations.length + 1}`,
    object: 'billing_portal.configuration',
    metadata: { name: textAt(form, 'metadata', 'name') },
    features: {
      subscription_update: { enabled: textAt(form, 'features', 'subscription_update', 'enabled') === 'true' },
    },
  };
  server.portalConfigurations.push(made);
  return done(made);
}

function createCustomer(server: StripeState, { form }: Request): Outcome {
  const book = newBook(randomBytes(16).toString('hex'), {
    payer: textAt(form, 'metadata', 'payer') as Payer,
    name: textAt(form, 'name') ?? '',
    email: textAt(form, 'email') ?? null,
  });
  server.books.set(book.customerId, book);
  return done({ id: book.customerId, object: 'customer' });
}

function checkouts(server: StripeState, request: Request, [id, action]: string[]): Outcome {
  const { form, method, key } = request;
  if (id === undefined && method === 'POST') return createCheckout(server, form, key);
  if (id === undefined && textAt(form, 'status') === 'open') {
    const book = bookOf(server, textAt(form, 'customer') ?? '');
    return listOf(
      book?.checkouts.filter(({ status }) => status === 'open').map((one) => checkoutObject(book, one, server)) ?? [],
    );
  }
  if (id === undefined) {
    const payment = textAt(form, 'payment_intent') ?? '';
    const book = bookOf(server, payment);
    const invoice = book?.invoices.find(({ paymentId }) => paymentId === payment);
    const checkout = book?.checkouts.find((one) => one.id === invoice?.checkoutId);
    const isOfPage = checkout?.order.what.kind === 'credits';
    return listOf(book && isOfPage ? [checkoutObject(book, checkout, server)] : []);
  }
  const book = bookOf(server, id);
  const checkout = book?.checkouts.find((one) => one.id === id);
  if (book === undefined || checkout === undefined) return missing(id);
  if (action === 'expire') checkout.status = 'expired';
  return done(checkoutObject(book, checkout, server));
}

function createCheckout(server: StripeState, form: Form, key: string): Outcome {
  const book = bookOf(server, textAt(form, 'customer') ?? '');
  const price = textAt(form, 'line_items', '0', 'price') ?? '';
  const tier = tierOf(price);
  const isCredits = textAt(form, 'mode') === 'payment';
  if (book === undefined || (isCredits ? price !== loopbackPrices.credits : tier === undefined)) return missing(price);
  const promotionId = textAt(form, 'discounts', '0', 'promotion_code');
  const discount = server.promotions.find(({ code }) => `promo_${code}` === promotionId) ?? null;
  const order = {
    payer: (textAt(form, isCredits ? 'metadata' : 'subscription_data', ...(isCredits ? [] : ['metadata']), 'payer') ??
      '') as Payer,
    buyerId: textAt(form, 'metadata', 'buyer') ?? '',
    customerId: book.customerId,
    what: tier === undefined ? ({ kind: 'credits' } as const) : ({ kind: 'subscription', tier } as const),
    quantity: Number(textAt(form, 'line_items', '0', 'quantity')),
    returnUrl: textAt(form, 'success_url') ?? '',
    cancelUrl: textAt(form, 'cancel_url') ?? '',
  };
  const checkout = openCheckout(book, { order, key, discount }, server.now() + book.aheadMs);
  if (textAt(form, 'allow_promotion_codes') === 'true') server.withCodes.add(checkout.id);
  return done(checkoutObject(book, checkout, server));
}

function subscriptions(server: StripeState, { method, form }: Request, id: string): Outcome {
  const book = bookOf(server, id);
  const subscription = book?.subscriptions.find((one) => one.id === id);
  if (book === undefined || subscription === undefined) return missing(id);
  const now = server.now() + book.aheadMs;
  const events: BookEvent[] = [];
  if (method === 'DELETE') events.push(...endSubscription(book, subscription, now));
  if (method === 'POST') {
    if (subscription.status === 'canceled') return refused('A canceled subscription can only update its metadata.');
    const cancel = textAt(form, 'cancel_at_period_end');
    if (cancel !== undefined) events.push(...setCancelAtPeriodEnd(subscription, cancel === 'true', now));
    const tier = tierOf(textAt(form, 'items', '0', 'price') ?? '');
    if (tier !== undefined) {
      const quantity = Number(textAt(form, 'items', '0', 'quantity'));
      const behaviors = { always_invoice: 'invoice', none: 'none' } as const;
      const behavior = (textAt(form, 'proration_behavior') ?? 'none') as keyof typeof behaviors;
      events.push(...changeSubscription(book, subscription, { tier, quantity, proration: behaviors[behavior] }, now));
    }
  }
  return done(subscriptionObject(book, subscription), book, events);
}

function invoices(server: StripeState, { form, method }: Request, id: string | undefined): Outcome {
  if (id === 'create_preview' && method === 'POST') {
    const subscriptionId = textAt(form, 'subscription') ?? '';
    const book = bookOf(server, subscriptionId);
    const subscription = book?.subscriptions.find((one) => one.id === subscriptionId);
    const tier = tierOf(textAt(form, 'subscription_details', 'items', '0', 'price') ?? '');
    if (book === undefined || subscription === undefined || tier === undefined) return missing(subscriptionId);
    const quantity = Number(textAt(form, 'subscription_details', 'items', '0', 'quantity'));
    const preview = previewChange(subscription, { tier, quantity }, server.now() + book.aheadMs);
    const { dueNowCents, paidFor } = preview;
    return done({ object: 'invoice', amount_due: dueNowCents, lines: linesObject(paidFor, true) });
  }
  if (id === undefined) {
    const book = bookOf(server, textAt(form, 'customer') ?? '');
    return listOf(book === undefined ? [] : book.invoices.map((invoice) => invoiceObject(book, invoice)).reverse());
  }
  const book = bookOf(server, id);
  const invoice = book?.invoices.find((one) => one.id === id);
  return book && invoice ? done(invoiceObject(book, invoice)) : missing(id);
}

function invoicePayments(server: StripeState, payment: string): Outcome {
  const book = bookOf(server, payment);
  const invoice = book?.invoices.find(({ paymentId }) => paymentId === payment);
  if (book === undefined || invoice === undefined) return listOf([]);
  const paid = { type: 'payment_intent', payment_intent: paymentObject(invoice, server.returns) };
  return listOf([{ id: 'inpay_1', object: 'invoice_payment', invoice: invoiceObject(book, invoice), payment: paid }]);
}

function bookOf(server: StripeState, id: string): Book | undefined {
  return server.books.get(customerOf(id) ?? '');
}

function tierOf(price: string): PaidTier | undefined {
  return price === loopbackPrices.Basic ? 'Basic' : price === loopbackPrices.Pro ? 'Pro' : undefined;
}
