import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { NewRow, Row, Workspace } from '#server/platform/db/schema.ts';

export type ChatRow = Row<'chats'>;
export type MessageRow = Row<'chatMessages'>;

/** The owner of conversations: a user in a workspace. */
export interface Owner {
  userId: string;
  workspace: Workspace;
}

export async function findChat(queries: Queries, owner: Owner, chatId: string): Promise<ChatRow | undefined> {
  return queries
    .selectFrom('chats')
    .selectAll()
    .where('id', '=', chatId)
    .where('userId', '=', owner.userId)
    .where('workspace', '=', owner.workspace)
    .executeTakeFirst();
}

/** Returns conversations, most recently used first; `before` is the last row of the previous page. */
export async function listChatRows(
  queries: Queries,
  owner: Owner,
  { before, limit }: { before: { updatedAt: number; id: string } | undefined; limit: number },
): Promise<ChatRow[]> {
  return queries
    .selectFrom('chats')
    .selectAll()
    .where('userId', '=', owner.userId)
    .where('workspace', '=', owner.workspace)
    .$if(before !== undefined, (query) =>
      query.where(({ or, and, eb }) =>
        or([
          eb('updatedAt', '<', before?.updatedAt ?? 0),
          and([eb('updatedAt', '=', before?.updatedAt ?? 0), eb('id', '<', before?.id ?? '')]),
        ]),
      ),
    )
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** Returns all conversations of a user in all workspaces, oldest first. */
export async function listAllChatRows(queries: Queries, userId: string): Promise<ChatRow[]> {
  return queries
    .selectFrom('chats')
    .selectAll()
    .where('userId', '=', userId)
    .orderBy('createdAt')
    .orderBy('id')
    .execute();
}

export async function insertChat(tx: Transaction, row: NewRow<'chats'>): Promise<void> {
  await tx.insertInto('chats').values(row).execute();
}

/** Claims a conversation for writing an answer; returns false while another one is in progress. */
export async function claimChat(
  tx: Transaction,
  { chatId, answerId, now, until }: { chatId: string; answerId: string; now: number; until: number },
): Promise<boolean> {
  const result = await tx
    .updateTable('chats')
    .set({ answeringId: answerId, answeringUntil: until, updatedAt: now })
    .where('id', '=', chatId)
    .where(({ or, eb }) => or([eb('answeringUntil', 'is', null), hasCome('answeringUntil', now, until - now)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Releases a conversation, unless another answer has claimed it meanwhile. */
export async function releaseChat(tx: Transaction, answerId: string, now: number): Promise<void> {
  await tx
    .updateTable('chats')
    .set({ answeringId: null, answeringUntil: null, updatedAt: now })
    .where('answeringId', '=', answerId)
    .execute();
}

/** Marks unfinished answers as stopped: their process ended. */
export async function stopAbandoned(tx: Transaction, chatId: string): Promise<void> {
  await tx
    .updateTable('chatMessages')
    .set({ state: 'stopped' })
    .where('chatId', '=', chatId)
    .where('state', '=', 'writing')
    .execute();
}

/** Deletes all but the newest `keep` conversations. */
export async function deleteOldChats(tx: Transaction, owner: Owner, keep: number): Promise<void> {
  const old = await tx
    .selectFrom('chats')
    .select('id')
    .where('userId', '=', owner.userId)
    .where('workspace', '=', owner.workspace)
    .orderBy('updatedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(1_000)
    .offset(keep)
    .execute();
  if (old.length === 0) return;
  const ids = old.map(({ id }) => id);
  await tx.deleteFrom('chats').where('id', 'in', ids).execute();
}

export async function renameChatRow(tx: Transaction, owner: Owner, chatId: string, title: string): Promise<boolean> {
  const result = await tx
    .updateTable('chats')
    .set({ title })
    .where('id', '=', chatId)
    .where('userId', '=', owner.userId)
    .where('workspace', '=', owner.workspace)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

export async function deleteChat(tx: Transaction, owner: Owner, chatId: string): Promise<boolean> {
  const result = await tx
    .deleteFrom('chats')
    .where('id', '=', chatId)
    .where('userId', '=', owner.userId)
    .where('workspace', '=', owner.workspace)
    .executeTakeFirst();
  return result.numDeletedRows > 0n;
}

/** Deletes all conversations of the owner; returns how many there were. */
export async function deleteChats(tx: Transaction, owner: Owner): Promise<number> {
  const result = await tx
    .deleteFrom('chats')
    .where('userId', '=', owner.userId)
    .where('workspace', '=', owner.workspace)
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

/** Deletes all conversations of a user, with their account. */
export async function deleteChatsOfUser(tx: Transaction, userId: string): Promise<void> {
  await tx.deleteFrom('chats').where('userId', '=', userId).execute();
}

/** Deletes all conversations in a team with the team, or those of a former member, which quote its documentation. */
export async function deleteTeamChats(tx: Transaction, teamId: string, userId?: string): Promise<void> {
  const all = tx.deleteFrom('chats').where('workspace', '=', `team:${teamId}`);
  await (userId === undefined ? all : all.where('userId', '=', userId)).execute();
}
