import { limits } from '#contract/limits.ts';
import type { Config } from '#server/config.ts';
import { type ChatDependencies, createChatSearch } from '#server/features/chat/index.ts';
import { openLanguageModel } from '#server/platform/language-model/open-language-model.ts';
import { createOutbound } from '#server/platform/outbound/index.ts';

/** Composes chats: the search they ask, and the model that writes, where one is configured. */
export function wireChat(
  { chatModel }: Pick<Config, 'chatModel'>,
  { userAgent, ...answers }: Parameters<typeof createChatSearch>[0] & { userAgent: string },
): { chat: ChatDependencies; close(): Promise<void> } {
  // The operator named this host, so it may be private; nothing else reaches it.
  const url = chatModel.kind === 'none' ? undefined : chatModel.url;
  const outbound = createOutbound({ allowHosts: url === undefined ? [] : [hostOf(url)], userAgent });
  const model = openLanguageModel(chatModel, { outbound, silenceMs: limits.chatModelSilenceSeconds * 1_000 });
  return { chat: { search: createChatSearch(answers), model }, close: () => outbound.close() };
}

/** The host and port of an address, as `allowHosts` names it. */
export function hostOf(address: string): string {
  const { protocol, hostname, port } = new URL(address);
  return `${hostname}:${port || (protocol === 'https:' ? '443' : '80')}`;
}
