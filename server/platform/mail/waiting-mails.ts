import type { Queries } from '../db/database.ts';
import { hasCome } from '../db/has-come.ts';
import type { NewRow, Row } from '../db/schema.ts';

export type WaitingMailRow = Row<'waitingMails'>;

export async function insertWaitingMail(queries: Queries, row: NewRow<'waitingMails'>): Promise<void> {
  await queries.insertInto('waitingMails').values(row).execute();
}

/** The mails whose time has come, those that wait longest first. */
export function listDueMails(
  queries: Queries,
  now: number,
  { mostMs, limit }: { mostMs: number; limit: number },
): Promise<WaitingMailRow[]> {
  return queries
    .selectFrom('waitingMails')
    .selectAll()
    .where(hasCome('nextAttemptAt', now, mostMs))
    .orderBy('nextAttemptAt')
    .limit(limit)
    .execute();
}

/** Takes a mail until then; false when someone else has it, or it is gone. */
export async function holdMail(
  queries: Queries,
  { id, nextAttemptAt }: WaitingMailRow,
  until: number,
): Promise<boolean> {
  const result = await queries
    .updateTable('waitingMails')
    .set({ nextAttemptAt: until })
    .where('id', '=', id)
    .where('nextAttemptAt', '=', nextAttemptAt)
    .executeTakeFirst();
  return result.numUpdatedRows > 0;
}

export async function noteFailedMail(
  queries: Queries,
  id: string,
  change: { attempts: number; nextAttemptAt: number; lastFault: string },
): Promise<void> {
  await queries.updateTable('waitingMails').set(change).where('id', '=', id).execute();
}

export async function deleteWaitingMail(queries: Queries, id: string): Promise<void> {
  await queries.deleteFrom('waitingMails').where('id', '=', id).execute();
}

export async function deleteMailsTo(queries: Queries, recipientHash: string): Promise<void> {
  await queries.deleteFrom('waitingMails').where('recipientHash', '=', recipientHash).execute();
}

/** How many failed and wait, since when, and why the newest of them failed. */
export async function readMailQueue(
  queries: Queries,
): Promise<{ count: number; oldestAt: number | null; lastFault: string | null }> {
  const failed = queries.selectFrom('waitingMails').where('attempts', '>', 0);
  const { count, oldestAt } = await failed
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('createdAt').as('oldestAt')])
    .executeTakeFirstOrThrow();
  const newest = await failed.select('lastFault').orderBy('createdAt', 'desc').limit(1).executeTakeFirst();
  return { count: Number(count), oldestAt, lastFault: newest?.lastFault ?? null };
}
