import type { Chat } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireOwner } from './owner.ts';
import { presentChat } from './present.ts';
import { listChatRows } from './store.ts';

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
