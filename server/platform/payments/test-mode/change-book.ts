import { PaymentError } from '../payment-provider.ts';
import type { Book, BookEvent, BookSubscription } from './book.ts';
import type { BookStore } from './book-store.ts';

/** Changes the book that a thing is in; refuses (`unavailable`) when there is none. */
export async function changeBook<T>(
  books: BookStore,
  id: string,
  change: (book: Book) => { answer: T; events: BookEvent[] },
): Promise<T> {
  const changed = await books.change(id, change);
  if (changed === undefined) throw new PaymentError('unavailable', 'the test mode keeps no such customer');
  return changed.answer;
}

/** The subscription of an id; refuses (`unavailable`) when there is none. */
export function subscriptionIn(book: Book, id: string): BookSubscription {
  const found = book.subscriptions.find((subscription) => subscription.id === id);
  if (found === undefined) throw new PaymentError('unavailable', 'the test mode keeps no such subscription');
  return found;
}
