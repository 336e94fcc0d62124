import type { Chat, ChatMessage } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { type Context, teamOf } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { cleanLabel } from '#server/features/search/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { isOver } from '#server/platform/db/has-come.ts';
import { answerMsMax } from './begin-answer.ts';
import { listMessageRows } from './message-store.ts';
import { requireOwner } from './owner.ts';
import { presentChat, presentMessage } from './present.ts';
import {
  type ChatRow,
  deleteChat,
  deleteChats,
  deleteChatsOfTeam,
  deleteChatsOfUser,
  findChat,
  listAllChatRows,
  listChatRows,
  renameChatRow,
} from './store.ts';

/** The actor's conversations in the workspace they act in, the last asked first, a page at a time. */
export async function listChats(
  ctx: Context,
  { cursor }: { cursor?: string | undefined },
): Promise<{ chats: Chat[]; next: string | null }> {
  const owner = requireOwner(ctx);
  const before = cursor === undefined ? undefined : placeOf(cursor);
  const rows = await listChatRows(ctx.db.query, owner, { before, limit: limits.chatsListed + 1 });
  const shown = rows.slice(0, limits.chatsListed);
  const last = shown.at(-1);
  return {
    chats: shown.map(presentChat),
    next: rows.length > shown.length && last !== undefined ? `${last.updatedAt}.${last.id}` : null,
  };
}

function placeOf(cursor: string): { updatedAt: number; id: string } {
  const [, updatedAt, id] = /^(\d{1,15})\.([\w-]{1,100})$/.exec(cursor) ?? [];
  if (updatedAt === undefined || id === undefined) {
    throw new AppError('invalid-input', { values: { reason: 'cursor: take the one that was answered' } });
  }
  return { updatedAt: Number(updatedAt), id };
}

/** A conversation of the actor with its newest messages; `cursor` leads to those before. Others' are not found. */
export async function readChat(
  ctx: Context,
  { chatId, cursor }: { chatId: string; cursor?: string | undefined },
): Promise<{ chat: Chat; messages: ChatMessage[]; next: string | null }> {
  const owner = requireOwner(ctx);
  const chat = await findChat(ctx.db.query, owner, chatId);
  if (chat === undefined) throw new AppError('chat-not-found');
  const before = cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(cursor);
  const rows = await listMessageRows(ctx.db.query, chat.id, { before, limit: limits.chatMessagesListed + 1 });
  const shown = rows.slice(-limits.chatMessagesListed);
  const now = ctx.clock.now();
  return {
    chat: presentChat(chat),
    messages: shown.map((row) => presentMessage(row, isBeingWritten(chat, row.id, now))),
    next: rows.length > shown.length ? String(shown[0]?.position ?? 0) : null,
  };
}

/** Returns true if some process is still at work on this answer. */
function isBeingWritten(chat: ChatRow, messageId: string, now: number): boolean {
  return chat.answeringId === messageId && !isOver(chat.answeringUntil ?? 0, now, answerMsMax);
}

function positionOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new AppError('invalid-input', { values: { reason: 'cursor: take the one that was answered' } });
}

/** Gives a conversation of the actor another title; white space around it does not count. Others' are not found. */
export async function renameChat(ctx: Context, input: { chatId: string; title: string }): Promise<Chat> {
  const owner = requireOwner(ctx);
  const title = cleanLabel(input.title, limits.chatTitleCharactersMax);
  if (title === '') throw new AppError('chat-title-empty');
  return ctx.db.transaction(async (tx) => {
    const isThere = await renameChatRow(tx, owner, input.chatId, title);
    const chat = isThere ? await findChat(tx, owner, input.chatId) : undefined;
    if (chat === undefined) throw new AppError('chat-not-found');
    // What people ask is their own: the row names no title and no team.
    await recordChange(tx, ctx.clock.now(), { actorUserId: owner.userId, action: 'chat.rename', entityId: chat.id });
    return presentChat(chat);
  });
}

/** Deletes a conversation of the actor for good; an answer on its way into it is lost. Others' are not found. */
export async function removeChat(ctx: Context, { chatId }: { chatId: string }): Promise<void> {
  const owner = requireOwner(ctx);
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteChat(tx, owner, chatId))) throw new AppError('chat-not-found');
    await recordAudit(tx, ctx.clock.now(), { actorUserId: owner.userId, action: 'chat.remove', entityId: chatId });
  });
}

/** Deletes all conversations of the actor in the workspace they act in; answers how many there were. */
export async function removeAllChats(ctx: Context): Promise<number> {
  const owner = requireOwner(ctx);
  return ctx.db.transaction(async (tx) => {
    const removed = await deleteChats(tx, owner);
    const detail = { removed };
    const audit = { actorUserId: owner.userId, action: 'chat.remove-all', entityId: owner.userId, detail };
    if (removed > 0) await recordAudit(tx, ctx.clock.now(), audit);
    return removed;
  });
}

/** Deletes all conversations of a person, with their account. */
export async function deleteChatsOf(tx: Transaction, userId: string): Promise<void> {
  await deleteChatsOfUser(tx, userId);
}

/** Deletes all conversations in a team, with the team. */
export async function deleteTeamChats(tx: Transaction, teamId: string): Promise<void> {
  await deleteChatsOfTeam(tx, teamId);
}

/** Deletes the conversations of a member who has left a team: they quote what is the team's. */
export async function deleteTeamChatsOf(
  tx: Transaction,
  { teamId, userId }: { teamId: string; userId: string },
): Promise<void> {
  await deleteChatsOfTeam(tx, teamId, userId);
}

/** All that is kept of the actor's conversations, of every workspace, as the text of a JSON file. */
export async function exportChats(ctx: Context): Promise<string> {
  const { userId } = requireOwner(ctx);
  const chats = [];
  for (const row of await listAllChatRows(ctx.db.query, userId)) {
    const all = { before: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };
    const messages = await listMessageRows(ctx.db.query, row.id, all);
    chats.push({
      ...presentChat(row),
      teamId: teamOf(row.workspace) ?? null,
      messages: messages.map((message) => presentMessage(message, false)),
    });
  }
  return `${JSON.stringify({ chats }, null, 2)}\n`;
}
