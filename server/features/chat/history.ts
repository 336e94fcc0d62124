import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type Chat, type ChatMessage, chatCitationSchema, chatMessageSchema, chatUsageSchema } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { type Context, teamOf } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { cleanLabel } from '#server/features/search/index.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { isOver } from '#server/platform/db/has-come.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { fileOf, jsonOf } from '../export-file.ts';
import { answerMsMax } from './begin-answer.ts';
import { listMessageRows } from './message-store.ts';
import { requireOwner } from './owner.ts';
import {
  type ChatRow,
  deleteChat,
  deleteChats,
  findChat,
  listAllChatRows,
  listChatRows,
  type MessageRow,
  renameChatRow,
} from './store.ts';

/** Returns a page of the actor's conversations in the current workspace, most recently used first. */
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
    throw new AppError('invalid-input', { values: { reason: 'cursor: use the one from the previous response' } });
  }
  return { updatedAt: Number(updatedAt), id };
}

/**
 * Returns a conversation of the actor with its newest messages; `cursor` leads to older ones. Other users'
 * conversations are reported as not found.
 */
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

/** Returns true if a process is still working on this answer. */
function isBeingWritten(chat: ChatRow, messageId: string, now: number): boolean {
  return chat.answeringId === messageId && !isOver(chat.answeringUntil ?? 0, now, answerMsMax);
}

function positionOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new AppError('invalid-input', { values: { reason: 'cursor: use the one from the previous response' } });
}

/**
 * Renames a conversation of the actor; surrounding white space is removed. Other users' conversations are reported as
 * not found.
 */
export async function renameChat(ctx: Context, input: { chatId: string; title: string }): Promise<Chat> {
  const owner = requireOwner(ctx);
  const title = cleanLabel(input.title, limits.chatTitleCharactersMax);
  if (title === '') throw new AppError('chat-title-empty');
  return ctx.db.transaction(async (tx) => {
    const isThere = await renameChatRow(tx, owner, input.chatId, title);
    const chat = isThere ? await findChat(tx, owner, input.chatId) : undefined;
    if (chat === undefined) throw new AppError('chat-not-found');
    // Questions are private: the audit entry contains neither title nor team.
    await recordChange(tx, ctx.clock.now(), { actorUserId: owner.userId, action: 'chat.rename', entityId: chat.id });
    return presentChat(chat);
  });
}

/**
 * Deletes a conversation of the actor permanently, including an answer in progress. Other users' conversations are
 * reported as not found.
 */
export async function removeChat(ctx: Context, { chatId }: { chatId: string }): Promise<void> {
  const owner = requireOwner(ctx);
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteChat(tx, owner, chatId))) throw new AppError('chat-not-found');
    await recordAudit(tx, ctx.clock.now(), { actorUserId: owner.userId, action: 'chat.remove', entityId: chatId });
  });
}

/** Deletes all conversations of the actor in the current workspace; returns how many. */
export async function removeAllChats(ctx: Context): Promise<number> {
  const owner = requireOwner(ctx);
  return ctx.db.transaction(async (tx) => {
    const removed = await deleteChats(tx, owner);
    const audit = { actorUserId: owner.userId, entityId: owner.userId, detail: { removed } };
    if (removed > 0) await recordAudit(tx, ctx.clock.now(), { ...audit, action: 'chat.remove-all' });
    return removed;
  });
}

type WholeChat = Chat & { teamId: string | null; messages: ChatMessage[] };

/** Returns all data of the actor's conversations in all workspaces, one conversation at a time. */
export function readAllChats(ctx: Context): AsyncIterable<WholeChat[]> {
  return chatsOf(ctx, requireOwner(ctx).userId);
}

async function* chatsOf(ctx: Context, userId: string): AsyncGenerator<WholeChat[]> {
  for (const row of await listAllChatRows(ctx.db.query, userId)) {
    await setImmediate();
    const all = { before: Number.MAX_SAFE_INTEGER, limit: Number.MAX_SAFE_INTEGER };
    const messages = await listMessageRows(ctx.db.query, row.id, all);
    const teamId = teamOf(row.workspace) ?? null;
    yield [{ ...presentChat(row), teamId, messages: messages.map((message) => presentMessage(message, false)) }];
  }
}

/** Returns the same as a JSON file. */
export async function exportChats(ctx: Context): Promise<AsyncIterable<Uint8Array>> {
  return fileOf(ctx, chatFile(readAllChats(ctx)));
}

async function* chatFile(chats: AsyncIterable<unknown[]>): AsyncGenerator<string> {
  yield '{ "chats": ';
  yield* jsonOf(chats);
  yield ' }\n';
}

/** Returns a conversation as shown to its owner. */
function presentChat({ id, title, moduleId, createdAt, updatedAt }: ChatRow): Chat {
  return { chatId: id, title, moduleId, createdAt, updatedAt };
}

const storedCitations = z.array(chatCitationSchema);

/** Returns a message as shown to its reader; an unfinished answer that is no longer being written counts as stopped. */
function presentMessage(row: MessageRow, isBeingWritten: boolean): ChatMessage {
  const { id, role, body: text, writer, createdAt } = row;
  const citations = storedCitations.catch([]).parse(storedJson<unknown>(row.citations, []));
  const errorCode = chatMessageSchema.shape.errorCode.safeParse(row.errorCode);
  return {
    ...{ id, role, text, citations, writer, createdAt },
    state: row.state === 'writing' && !isBeingWritten ? 'stopped' : row.state,
    // An error code unknown to this version is omitted.
    errorCode: errorCode.success ? errorCode.data : null,
    usage: row.usage === null ? null : (chatUsageSchema.safeParse(storedJson(row.usage, null)).data ?? null),
  };
}
