import { sql } from 'kysely';
import type { Context } from '#server/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { NewRow, Row } from '#server/platform/db/schema.ts';

/** Stores an event; returns the stored one if it was received before. */
export async function keepEvent(
  queries: Queries,
  row: NewRow<'billingEvents'>,
): Promise<{ event: Row<'billingEvents'>; isNew: boolean }> {
  const inserted = await queries
    .insertInto('billingEvents')
    .values(row)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
  if (inserted !== undefined) return { event: inserted, isNew: true };
  const event = await queries
    .selectFrom('billingEvents')
    .selectAll()
    .where('id', '=', row.id)
    .executeTakeFirstOrThrow();
  return { event, isNew: false };
}

/** Records the outcome of an event; returns false if one is already recorded. */
export async function settleEventRow(
  queries: Queries,
  eventId: string,
  { outcome, detail, now }: { outcome: 'applied' | 'ignored' | 'refused'; detail: string; now: number },
): Promise<boolean> {
  const { numUpdatedRows } = await queries
    .updateTable('billingEvents')
    .set({ outcome, detail, settledAt: now })
    .where('id', '=', eventId)
    .where('outcome', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export async function countTry(queries: Queries, eventId: string): Promise<void> {
  await queries
    .updateTable('billingEvents')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', eventId)
    .execute();
}

/**
 * Returns events without an outcome that are due for another attempt: after n attempts at an age of n² + 1 times
 * `minAgeMs`. With a minute, that is every two hours after two days; the last attempt is made after three, when the
 * provider stops delivering, too.
 */
export async function listWaitingEvents(
  queries: Queries,
  now: number,
  minAgeMs: number,
): Promise<Row<'billingEvents'>[]> {
  return queries
    .selectFrom('billingEvents')
    .selectAll()
    .where('outcome', 'is', null)
    .where('tries', '<', 70)
    .where(({ eb }) => eb('receivedAt', '<=', sql<number>`${now} - (tries * tries + 1) * ${minAgeMs}`))
    .orderBy('tries')
    .orderBy('receivedAt')
    .limit(100)
    .execute();
}

/** Long enough for eight attempts. */
const waitMsMax = 60 * 60_000;

/** Returns payment events received over an hour ago that have not been applied, with the number of attempts. */
export async function listOverdueEvents(ctx: Context): Promise<{ what: string; detail: string }[]> {
  const rows = await ctx.db.query
    .selectFrom('billingEvents')
    .select(['id', 'type', 'tries'])
    .where('outcome', 'is', null)
    .where('receivedAt', '<', ctx.clock.now() - waitMsMax)
    .execute();
  return rows.map(({ id, type, tries }) => ({
    what: id,
    detail: `is a payment event (${type}) without effect after ${tries} attempts; see the server's log`,
  }));
}
