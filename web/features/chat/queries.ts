import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { chatEndpoints } from '#contract/chat.ts';
import { callApi } from '../../lib/api-client.ts';

/** Polling interval while an answer is written elsewhere. */
const readAgainMs = 2_000;

/** The answers' writer, and the module named in the address. */
export function chatOptions(workspace: string, moduleId: string | undefined) {
  return queryOptions({
    queryKey: ['modules', workspace, 'chat', moduleId ?? null],
    queryFn: ({ signal }) => callApi(chatEndpoints.describeChat, { moduleId }, signal, workspace),
  });
}

export function chatsOptions(workspace: string) {
  return infiniteQueryOptions({
    queryKey: ['chats', workspace],
    queryFn: ({ pageParam, signal }) =>
      callApi(chatEndpoints.listChats, pageParam === null ? {} : { cursor: pageParam }, signal, workspace),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

/** A saved conversation. It continues on the screen, so it is not reloaded automatically. */
export function savedChatOptions(workspace: string, chatId: string) {
  return infiniteQueryOptions({
    queryKey: ['chat', workspace, chatId],
    queryFn: ({ pageParam, signal }) =>
      callApi(
        chatEndpoints.readChat,
        pageParam === null ? { chatId } : { chatId, cursor: pageParam },
        signal,
        workspace,
      ),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.messages.at(-1)?.state === 'writing' ? readAgainMs : false),
  });
}
