import { randomBytes } from 'node:crypto';
import type { Discount } from '#contract/billing.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/database.ts';
import { PaymentError, type PaymentProvider, type SubscriptionCalls } from '../payment-provider.ts';
import { readSignedEvent } from '../signed-event.ts';
import { type Book, type BookEvent, type BookSubscription, newBook } from './book.ts';
import { openCheckout } from './book-checkouts.ts';
import { checkoutSnapshot, invoiceSnapshot, invoicesOf, subscriptionSnapshot } from './book-snapshots.ts';
import { type BookStore, bookStore } from './book-store.ts';
import { changeSubscription, endSubscription, previewChange, setCancelAtPeriodEnd } from './book-subscriptions.ts';
import { createDesk, type TestDesk } from './desk.ts';

export interface TestPaymentsOptions {
  db: Database;
  clock: Clock;
  publicUrl: string;
  /** Signs events. */
  secret: string;
  promotions: Discount[];
}

/**
 * Creates a payment provider without real money, stored in the database: complete, for installations without a Stripe
 * account and for testing. The payment pages are part of the web application; `desk` is their backend.
 */
export function createTestPayments(options: TestPaymentsOptions): { provider: PaymentProvider; desk: TestDesk } {
  const { db, clock, publicUrl, secret } = options;
  const books = bookStore(db);
  const nowIn = (book: Book) => clock.now() + book.aheadMs;
  const findPromotion = async (code: string) =>
    options.promotions.find((promotion) => promotion.code.toLowerCase() === code.trim().toLowerCase());

  const provider: PaymentProvider = {
    mode: 'test',
    priceIds: { Basic: 'price_test_basic', Pro: 'price_test_pro' },
    ...testCheckouts({ books, publicUrl, nowIn, findPromotion }),
    ...testSubscriptions(books, nowIn),
    async createCustomer(customer) {
      const book = newBook(randomBytes(16).toString('hex'), customer);
      await books.add(book);
      return book.customerId;
    },
    async findInvoice(invoiceId) {
      const invoice = (await books.find(invoiceId))?.invoices.find(({ id }) => id === invoiceId);
      return invoice && invoiceSnapshot(invoice);
    },
    // The portal only refunds credit purchases.
    findInvoiceOfPayment: async () => undefined,
    findPromotion,
    async openPortal(customerId, returnUrl) {
      await changeBook(books, customerId, (book) => {
        book.portalReturnUrl = returnUrl;
        return { answer: undefined, events: [] };
      });
      return `${publicUrl}/billing/test/portal/${customerId.replace('cus_', 'bps_')}`;
    },
    async listInvoices(customerId) {
      const book = await books.find(customerId);
      return book === undefined ? [] : invoicesOf(book);
    },
    readEvent: (body, signature, receivedAt) =>
      readSignedEvent({ body, signature, secret }, { isLive: false, receivedAt }),
  };
  return { provider, desk: createDesk({ db, books, clock, secret, nowIn, findPromotion }) };
}

interface CheckoutParts {
  books: BookStore;
  publicUrl: string;
  nowIn(book: Book): number;
  findPromotion(code: string): Promise<Discount | undefined>;
}

type CheckoutSide = Pick<
  PaymentProvider,
  'openCheckout' | 'expireCheckout' | 'expireCheckouts' | 'findCheckout' | 'findCheckoutOfPayment'
>;

/** Creates the calls for payment pages. */
function testCheckouts({ books, publicUrl, nowIn, findPromotion }: CheckoutParts): CheckoutSide {
  return {
    async openCheckout(order, key) {
      const discount = order.promotionCode === undefined ? null : await findPromotion(order.promotionCode);
      if (discount === undefined) throw new PaymentError('no-promotion', 'promotion code not found');
      const { id } = await changeBook(books, order.customerId, (book) => {
        return { answer: openCheckout(book, { order, key, discount }, nowIn(book)), events: [] };
      });
      return { checkoutId: id, url: `${publicUrl}/billing/test/checkout/${id}` };
    },
    async expireCheckout(checkoutId) {
      await books.change(checkoutId, (book) => {
        const checkout = book.checkouts.find(({ id }) => id === checkoutId);
        if (checkout?.status === 'open') checkout.status = 'expired';
        return { answer: undefined, events: [] };
      });
    },
    async expireCheckouts(customerId) {
      await books.change(customerId, (book) => {
        for (const checkout of book.checkouts) if (checkout.status === 'open') checkout.status = 'expired';
        return { answer: undefined, events: [] };
      });
    },
    async findCheckout(checkoutId) {
      const book = await books.find(checkoutId);
      const checkout = book?.checkouts.find(({ id }) => id === checkoutId);
      return book && checkout && checkoutSnapshot(book, checkout);
    },
    async findCheckoutOfPayment(paymentId) {
      const book = await books.find(paymentId);
      const invoice = book?.invoices.find((candidate) => candidate.paymentId === paymentId);
      const checkout = book?.checkouts.find(({ id }) => id === invoice?.checkoutId);
      return book && checkout && checkoutSnapshot(book, checkout);
    },
  };
}

/** Creates the calls for subscriptions. */
function testSubscriptions(books: BookStore, nowIn: (book: Book) => number): SubscriptionCalls {
  const happen = (id: string, change: (book: Book, subscription: BookSubscription, now: number) => BookEvent[]) =>
    changeBook(books, id, (book) => {
      return { answer: undefined, events: change(book, subscriptionIn(book, id), nowIn(book)) };
    });
  return {
    async findSubscription(id) {
      const book = await books.find(id);
      const subscription = book?.subscriptions.find((candidate) => candidate.id === id);
      return book && subscription && subscriptionSnapshot(book, subscription);
    },
    async previewChange(id, to) {
      const book = await books.find(id);
      if (book === undefined) throw new PaymentError('unavailable', 'the test mode keeps no such customer');
      return previewChange(subscriptionIn(book, id), to, nowIn(book));
    },
    changeSubscription: (id, change) =>
      happen(id, (book, subscription, now) => changeSubscription(book, subscription, change, now)),
    setCancelAtPeriodEnd: (id, isCancelled) =>
      happen(id, (_book, subscription, now) => setCancelAtPeriodEnd(subscription, isCancelled, now)),
    endSubscription: (id) => happen(id, endSubscription),
  };
}

/** Changes the book that contains an id; refuses (`unavailable`) if there is none. */
async function changeBook<T>(
  books: BookStore,
  id: string,
  change: (book: Book) => { answer: T; events: BookEvent[] },
): Promise<T> {
  const changed = await books.change(id, change);
  if (changed === undefined) throw new PaymentError('unavailable', 'the test mode keeps no such customer');
  return changed.answer;
}

/** Returns a subscription; refuses (`unavailable`) if there is none. */
function subscriptionIn(book: Book, id: string): BookSubscription {
  const found = book.subscriptions.find((subscription) => subscription.id === id);
  if (found === undefined) throw new PaymentError('unavailable', 'the test mode keeps no such subscription');
  return found;
}
