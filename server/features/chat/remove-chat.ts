import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { recordAudit } from '#server/platform/db/audit.ts';
import { requireOwner } from './owner.ts';
import { deleteChat, deleteChats } from './store.ts';

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
