import type { Context } from '#server/context.ts';
import { teamOf } from '#server/context.ts';
import { listMessageRows } from './message-store.ts';
import { requireOwner } from './owner.ts';
import { presentChat, presentMessage } from './present.ts';
import { listAllChatRows } from './store.ts';

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
