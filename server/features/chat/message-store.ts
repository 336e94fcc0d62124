import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import type { MessageRow } from './store.ts';

/** Returns the newest messages before a position, oldest first. */
export async function listMessageRows(
  queries: Queries,
  chatId: string,
  { before, limit }: { before: number; limit: number },
): Promise<MessageRow[]> {
  const rows = await queries
    .selectFrom('chatMessages')
    .selectAll()
    .where('chatId', '=', chatId)
    .where('position', '<', before)
    .orderBy('position', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}

/** Returns the position of the next message: 0 in an empty conversation. */
export async function nextPosition(queries: Queries, chatId: string): Promise<number> {
  const last = await queries
    .selectFrom('chatMessages')
    .select(({ fn }) => fn.max('position').as('position'))
    .where('chatId', '=', chatId)
    .executeTakeFirst();
  return (last?.position ?? -1) + 1;
}

export async function insertMessages(tx: Transaction, rows: NewRow<'chatMessages'>[]): Promise<void> {
  await tx.insertInto('chatMessages').values(rows).execute();
}

/** Deletes the last question with its answer. */
export async function deleteLastTurn(tx: Transaction, chatId: string): Promise<void> {
  const question = await tx
    .selectFrom('chatMessages')
    .select('position')
    .where('chatId', '=', chatId)
    .where('role', '=', 'question')
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (question === undefined) return;
  await tx.deleteFrom('chatMessages').where('chatId', '=', chatId).where('position', '>=', question.position).execute();
}

/** Stores an answer's outcome once; returns false if it was already stored or its conversation is gone. */
export async function settleMessage(
  tx: Transaction,
  id: string,
  values: Pick<MessageRow, 'body' | 'state' | 'writer' | 'errorCode' | 'citations' | 'usage'>,
): Promise<boolean> {
  const result = await tx
    .updateTable('chatMessages')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', 'writing')
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
