import { type Discount, discounted, planCents } from '#contract/billing.ts';
import type { TestCheckout, TestPortal } from '#contract/test-billing.ts';
import type { Clock } from '../../clock.ts';
import type { Database } from '../../db/database.ts';
import { type Payer, PaymentError } from '../payment-provider.ts';
import { signEvent } from '../signed-event.ts';
import { type Book, type BookCheckout, type BookEvent, isLive } from './book.ts';
import { describeOrder, payCheckout, refundPayment, totalOf, unitCents } from './book-checkouts.ts';
import { type BookStore, pendingEvents, removeEvent } from './book-store.ts';
import { nextDueAt, runDue, setCancelAtPeriodEnd, setCard } from './book-subscriptions.ts';

/** The actions people take on the pages of the test mode. Methods return undefined for unknown ids. */
export interface TestDesk {
  /** Returns the payer who may use a page. */
  payerOf(id: string): Promise<Payer | undefined>;
  describeCheckout(checkoutId: string): Promise<TestCheckout | undefined>;
  /** Returns the address to continue to. Refuses (`no-promotion`) a code that is unknown, or is given for credits. */
  pay(checkoutId: string, promotionCode: string | undefined): Promise<string | undefined>;
  decline(checkoutId: string): Promise<void>;
  describePortal(portalId: string): Promise<TestPortal | undefined>;
  setCard(portalId: string, works: boolean): Promise<void>;
  /** Advances this customer's clock to the next automatic event, and carries it out. */
  advance(portalId: string): Promise<void>;
  setCancelAtPeriodEnd(portalId: string, isCancelled: boolean): Promise<void>;
  refund(portalId: string, paymentId: string): Promise<void>;
  /** Carries out everything due by the clock, for every customer. */
  runDue(): Promise<void>;
  /** Returns undelivered events with new signatures. */
  pendingEvents(): Promise<{ id: string; body: string; signature: string }[]>;
  removeEvent(id: string): Promise<void>;
}

interface DeskParts {
  db: Database;
  books: BookStore;
  clock: Clock;
  secret: string;
  nowIn(book: Book): number;
  findPromotion(code: string): Promise<Discount | undefined>;
}

export function createDesk({ db, books, clock, secret, nowIn, findPromotion }: DeskParts): TestDesk {
  const happen = async (id: string, change: (book: Book) => BookEvent[]) => {
    await books.change(id, (book) => ({ answer: undefined, events: change(book) }));
  };
  return {
    ...portalDesk({ books, clock, nowIn }, happen),
    payerOf: async (id) => (await books.find(id))?.payer,
    async describeCheckout(checkoutId) {
      const book = await books.find(checkoutId);
      const checkout = book?.checkouts.find(({ id }) => id === checkoutId);
      return book && checkout && presentCheckout(book, checkout);
    },
    async pay(checkoutId, promotionCode) {
      const given = promotionCode === undefined ? null : await findPromotion(promotionCode);
      if (given === undefined) throw new PaymentError('no-promotion', 'promotion code not found');
      const paid = await books.change(checkoutId, (book) => {
        const checkout = book.checkouts.find(({ id }) => id === checkoutId);
        if (checkout === undefined) return { answer: undefined, events: [] };
        if (given !== null && checkout.order.what.kind === 'credits') {
          throw new PaymentError('no-promotion', 'promotion codes are for plans');
        }
        const events = payCheckout(book, checkout, given ?? checkout.discount, nowIn(book));
        return { answer: checkout.order.returnUrl, events };
      });
      return paid?.answer;
    },
    decline: (checkoutId) =>
      happen(checkoutId, (book) => {
        const checkout = book.checkouts.find(({ id }) => id === checkoutId);
        if (checkout?.status === 'open') checkout.wasDeclined = true;
        return [];
      }),
    async runDue() {
      for (const customerId of await books.customerIds()) {
        const book = await books.find(customerId);
        const isDue = book?.subscriptions.some((subscription) => {
          const dueAt = nextDueAt(book, subscription);
          return dueAt !== undefined && dueAt <= nowIn(book);
        });
        if (isDue) await happen(customerId, (locked) => runDue(locked, nowIn(locked)));
      }
    },
    async pendingEvents() {
      const events = await pendingEvents(db.query);
      return events.map((event) => ({ ...event, signature: signEvent(event.body, secret, clock.now()) }));
    },
    removeEvent: (id) => removeEvent(db.query, id),
  };
}

type PortalDesk = Pick<TestDesk, 'describePortal' | 'setCard' | 'advance' | 'setCancelAtPeriodEnd' | 'refund'>;

function portalDesk(
  { books, clock, nowIn }: Pick<DeskParts, 'books' | 'clock' | 'nowIn'>,
  happen: (id: string, change: (book: Book) => BookEvent[]) => Promise<void>,
): PortalDesk {
  const live = (book: Book) => book.subscriptions.find(isLive);
  return {
    async describePortal(portalId) {
      const book = await books.find(portalId);
      return book && presentPortal(book);
    },
    setCard: (portalId, works) => happen(portalId, (book) => setCard(book, works, nowIn(book))),
    advance: (portalId) =>
      happen(portalId, (book) => {
        const subscription = live(book);
        const dueAt = subscription && nextDueAt(book, subscription);
        if (dueAt === undefined) return [];
        book.aheadMs = Math.max(book.aheadMs, dueAt - clock.now());
        return runDue(book, nowIn(book));
      }),
    setCancelAtPeriodEnd: (portalId, isCancelled) =>
      happen(portalId, (book) => {
        const subscription = live(book);
        return subscription === undefined ? [] : setCancelAtPeriodEnd(subscription, isCancelled, nowIn(book));
      }),
    refund: (portalId, paymentId) => happen(portalId, (book) => refundPayment(book, paymentId, nowIn(book))),
  };
}

function presentCheckout(book: Book, checkout: BookCheckout): TestCheckout {
  const { order, status, wasDeclined, discount } = checkout;
  return {
    checkoutId: checkout.id,
    kind: order.what.kind,
    payerName: book.name,
    description: describeOrder(order),
    quantity: order.quantity,
    unitCents: unitCents(order),
    discount,
    totalCents: totalOf(checkout),
    status,
    wasDeclined,
    cancelUrl: order.cancelUrl,
  };
}

function presentPortal(book: Book): TestPortal {
  const subscription = book.subscriptions.find(isLive) ?? book.subscriptions.at(-1);
  return {
    portalId: book.customerId.replace('cus_', 'bps_'),
    payerName: book.name,
    cardWorks: book.cardWorks,
    subscription:
      subscription === undefined
        ? null
        : {
            subscriptionId: subscription.id,
            tier: subscription.tier,
            quantity: subscription.quantity,
            status: subscription.status,
            periodEndAt: subscription.periodEndAt,
            cancelAtPeriodEnd: subscription.cancelAtPeriodEnd,
            nextAmountCents: discounted(planCents(subscription.tier, subscription.quantity), subscription.discount),
            discount: subscription.discount,
          },
    payments: book.invoices
      .map(({ paymentId, createdAt, description, totalCents, status, reason }) => {
        const isRefundable = reason === 'credits' && status === 'paid';
        return { paymentId, createdAt, description, totalCents, status, isRefundable };
      })
      .reverse(),
    returnUrl: book.portalReturnUrl,
  };
}
