import type { Chat, ChatMessage } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { isOver } from '#server/platform/db/has-come.ts';
import { answerMsMax } from './begin-answer.ts';
import { listMessageRows } from './message-store.ts';
import { requireOwner } from './owner.ts';
import { presentChat, presentMessage } from './present.ts';
import { type ChatRow, findChat } from './store.ts';

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
export function isBeingWritten(chat: ChatRow, messageId: string, now: number): boolean {
  return chat.answeringId === messageId && !isOver(chat.answeringUntil ?? 0, now, answerMsMax);
}

function positionOf(cursor: string): number {
  if (/^\d{1,9}$/.test(cursor)) return Number(cursor);
  throw new AppError('invalid-input', { values: { reason: 'cursor: take the one that was answered' } });
}
