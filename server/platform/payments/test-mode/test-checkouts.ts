import type { Discount } from '#contract/billing.ts';
import { PaymentError, type PaymentProvider } from '../payment-provider.ts';
import type { Book } from './book.ts';
import { openCheckout } from './book-checkouts.ts';
import { checkoutSnapshot } from './book-snapshots.ts';
import type { BookStore } from './book-store.ts';
import { changeBook } from './change-book.ts';

interface CheckoutParts {
  books: BookStore;
  publicUrl: string;
  nowIn(book: Book): number;
  findPromotion(code: string): Promise<Discount | undefined>;
}

type CheckoutSide = Pick<PaymentProvider, 'openCheckout' | 'expireCheckout' | 'findCheckout' | 'findCheckoutOfPayment'>;

/** Payment pages. */
export function testCheckouts({ books, publicUrl, nowIn, findPromotion }: CheckoutParts): CheckoutSide {
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
