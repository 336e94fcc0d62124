import { randomBytes } from 'node:crypto';
import type { Discount } from '#contract/billing.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/database.ts';
import type { PaymentProvider } from '../payment-provider.ts';
import { readSignedEvent } from '../signed-event.ts';
import { type Book, newBook } from './book.ts';
import { invoiceSnapshot, invoicesOf } from './book-snapshots.ts';
import { bookStore } from './book-store.ts';
import { changeBook } from './change-book.ts';
import { createDesk, type TestDesk } from './desk.ts';
import { testCheckouts } from './test-checkouts.ts';
import { testSubscriptions } from './test-subscriptions.ts';

export interface TestPaymentsOptions {
  db: Database;
  clock: Clock;
  publicUrl: string;
  /** Events are signed with it. */
  secret: string;
  promotions: Discount[];
}

/**
 * Payments with no money in them, kept in the database: complete, for an installation without an account anywhere, and
 * for trying things out. The pages where people would pay are the browser's own; `desk` is what stands behind them.
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
