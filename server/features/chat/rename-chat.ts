import type { Chat } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordChange } from '#server/features/accounts/index.ts';
import { cleanLabel } from '#server/features/search/index.ts';
import { requireOwner } from './owner.ts';
import { presentChat } from './present.ts';
import { findChat, renameChatRow } from './store.ts';

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
