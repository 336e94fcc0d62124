import { randomBytes } from 'node:crypto';
import type { Database, Queries, Transaction } from '../../db/database.ts';
import type { Payer } from '../payment-provider.ts';
import { type Book, type BookEvent, customerOf } from './book.ts';

/** The books, one row each, with their undelivered events. */
export interface BookStore {
  add(book: Book): Promise<void>;
  /** Returns the book of a customer, checkout, subscription, invoice, payment or portal. */
  find(id: string): Promise<Book | undefined>;
  /**
   * Changes a book; changes of the same book are serialized. If `change` throws, the book stays unchanged. Returns
   * undefined if the book does not exist.
   */
  change<T>(id: string, change: (book: Book) => { answer: T; events: BookEvent[] }): Promise<{ answer: T } | undefined>;
  customerIds(): Promise<string[]>;
}

/** Creates a store for books in the database. */
export function bookStore(db: Database): BookStore {
  return {
    async add(book) {
      const row = { customerId: book.customerId, document: JSON.stringify(book) };
      await db.query.insertInto('testPaymentBooks').values(row).execute();
    },
    async find(id) {
      const customerId = customerOf(id);
      const row =
        customerId &&
        (await db.query
          .selectFrom('testPaymentBooks')
          .select('document')
          .where('customerId', '=', customerId)
          .executeTakeFirst());
      return row ? (JSON.parse(row.document) as Book) : undefined;
    },
    async change(id, change) {
      const customerId = customerOf(id);
      if (customerId === undefined) return undefined;
      return db.transaction(async (tx) => {
        const locked = await tx
          .updateTable('testPaymentBooks')
          .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
          .where('customerId', '=', customerId)
          .returning('document')
          .executeTakeFirst();
        if (locked === undefined) return undefined;
        const book = JSON.parse(locked.document) as Book;
        const { answer, events } = change(book);
        await tx
          .updateTable('testPaymentBooks')
          .set({ document: JSON.stringify(book) })
          .where('customerId', '=', customerId)
          .execute();
        for (const event of events) await insertEvent(tx, event);
        return { answer };
      });
    },
    async customerIds() {
      const rows = await db.query.selectFrom('testPaymentBooks').select('customerId').execute();
      return rows.map(({ customerId }) => customerId);
    },
  };
}

/**
 * Removes a person's or a team's data from the books, in the transaction that deletes them: name and address in their
 * own book, and a person's address in the books of teams they paid for. Payments are kept.
 */
export async function forgetInBooks(tx: Transaction, { payer, email }: { payer: Payer; email: string | null }) {
  const locked = await tx
    .updateTable('testPaymentBooks')
    .set(({ eb }) => ({ revision: eb('revision', '+', 1) }))
    .where('document', 'like', `%${payer.slice(5)}%`)
    .returning(['customerId', 'document'])
    .execute();
  for (const { customerId, document } of locked) {
    const book = JSON.parse(document) as Book;
    const isOwn = book.payer === payer;
    if (isOwn) book.name = '';
    if (isOwn || book.email === email) book.email = null;
    await tx
      .updateTable('testPaymentBooks')
      .set({ document: JSON.stringify(book) })
      .where('customerId', '=', customerId)
      .execute();
  }
}

/** Returns undelivered events, oldest first. */
export async function pendingEvents(queries: Queries): Promise<{ id: string; body: string }[]> {
  return queries.selectFrom('testPaymentEvents').select(['id', 'body']).orderBy('createdAt').limit(100).execute();
}

export async function removeEvent(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('testPaymentEvents').where('id', '=', id).execute();
}

/** Renders an event in Stripe's format. */
export function eventBody({ type, objectId, createdAt }: BookEvent): { id: string; body: string } {
  const id = `evt_${randomBytes(12).toString('hex')}`;
  const object = type === 'charge.refunded' ? { id: `ch_${objectId}`, payment_intent: objectId } : { id: objectId };
  const created = Math.floor(createdAt / 1000);
  return { id, body: JSON.stringify({ id, object: 'event', type, created, livemode: false, data: { object } }) };
}

async function insertEvent(queries: Queries, event: BookEvent): Promise<void> {
  await queries
    .insertInto('testPaymentEvents')
    .values({ ...eventBody(event), createdAt: event.createdAt })
    .execute();
}
