import { PaymentError, type PaymentProvider } from '../payment-provider.ts';
import type { Book, BookEvent, BookSubscription } from './book.ts';
import { subscriptionSnapshot } from './book-snapshots.ts';
import type { BookStore } from './book-store.ts';
import { changeSubscription, endSubscription, previewChange, setCancelAtPeriodEnd } from './book-subscriptions.ts';
import { changeBook, subscriptionIn } from './change-book.ts';

type SubscriptionSide = Pick<
  PaymentProvider,
  'findSubscription' | 'previewChange' | 'changeSubscription' | 'setCancelAtPeriodEnd' | 'endSubscription'
>;

/** Subscriptions. */
export function testSubscriptions(books: BookStore, nowIn: (book: Book) => number): SubscriptionSide {
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
