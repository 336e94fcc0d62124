import { chatEndpoints } from '#contract/chat.ts';
import {
  type ChatDependencies,
  describeChat,
  exportChats,
  listChats,
  readChat,
  removeAllChats,
  removeChat,
  renameChat,
} from '#server/features/chat/index.ts';
import { type Call, call } from './call-table.ts';

export interface ChatCallDependencies {
  chat: ChatDependencies;
}

/** Conversations that are kept. Questions are answered as a stream: `addChat`. */
export function chatCalls({ chat }: ChatCallDependencies): Call[] {
  return [
    call(chatEndpoints.describeChat, (ctx, input) => describeChat(ctx, input, chat)),
    call(chatEndpoints.listChats, (ctx, input) => listChats(ctx, input)),
    call(chatEndpoints.exportChats, (ctx) => exportChats(ctx)),
    call(chatEndpoints.readChat, (ctx, input) => readChat(ctx, input)),
    call(chatEndpoints.renameChat, async (ctx, input) => ({ chat: await renameChat(ctx, input) })),
    call(chatEndpoints.removeChat, async (ctx, input) => {
      await removeChat(ctx, input);
      return {};
    }),
    call(chatEndpoints.removeAllChats, async (ctx) => ({ removed: await removeAllChats(ctx) })),
  ];
}
