import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SquarePen } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { OneNotice, RetryNotice } from '../../kit/retry-notice.tsx';
import { ApiError } from '../../lib/api-error.ts';
import { useSession } from '../../lib/session.ts';
import { individualWorkspace, useWorkspaceId } from '../../lib/workspace.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { ConversationView } from './conversation-view.tsx';
import { WhatAnswersRestOn } from './empty-chat.tsx';
import { HistoryList, HistorySheet } from './history-list.tsx';
import { chatOptions, savedChatOptions } from './queries.ts';
import { turnsOf } from './turns.ts';

interface ChatScreenProps {
  /** The only module to search. */
  moduleId?: string | undefined;
  /** True to treat the user as a visitor. */
  isDemo?: boolean;
}

/** Asks the documentation. The address contains the open conversation (`c`). */
export function ChatScreen({ moduleId, isDemo = false }: ChatScreenProps) {
  const session = useSession();
  const selected = useWorkspaceId();
  const isSignedIn = Boolean(session.data?.user) && !isDemo;
  const workspace = isDemo ? individualWorkspace : selected;
  const { openedId, key, begin, startNew } = useOpenedChat(isSignedIn);
  const scope = `${workspace}/${moduleId ?? ''}/${isDemo}`;
  return (
    <OneNotice>
      {/* As high as the window, so that content below does not move when the conversation loads. */}
      <div
        className={classNames(
          'frame flex min-h-[calc(100dvh-3.5rem)] flex-1 px-0! lg:grid-cols-[15.5rem_minmax(0,1fr)]',
          isSignedIn ? 'lg:grid' : !isDemo && 'lg:in-data-signed-in:grid',
        )}
      >
        {isSignedIn ? (
          <aside aria-label="History" className="hidden border-line border-r lg:block">
            <div className="sticky top-14 flex h-[calc(100dvh-3.5rem)] flex-col py-5 pr-3 pl-5.5">
              <HistoryList openedId={openedId} onNew={startNew} />
            </div>
          </aside>
        ) : (
          !isDemo && <div aria-hidden className="hidden lg:in-data-signed-in:block" />
        )}
        <div className="mx-auto flex w-full min-w-0 max-w-[50rem] flex-1 flex-col px-5 md:px-8">
          {isSignedIn ? (
            <div className="flex min-h-10.5 items-center justify-between gap-2 pt-3 lg:hidden">
              <HistorySheet openedId={openedId} onNew={startNew} />
              <Button size="sm" look="quiet" onClick={startNew}>
                <SquarePen aria-hidden className="size-3.5" />
                New chat
              </Button>
            </div>
          ) : (
            !isDemo && <div aria-hidden className="hidden h-10.5 max-lg:in-data-signed-in:block" />
          )}
          <ScopedChat
            key={`${scope}/${key}`}
            {...{ workspace, moduleId, isDemo, isSignedIn }}
            chatId={isSignedIn ? openedId : null}
            onBegan={begin}
          />
        </div>
      </div>
    </OneNotice>
  );
}

/**
 * Returns the conversation in the address. One that has just received its id continues on the screen; any other is
 * opened again.
 */
function useOpenedChat(isSignedIn: boolean) {
  const [params, setParams] = useSearchParams();
  const navigate = useNavigate();
  const named = isSignedIn ? params.get('c') : null;
  const [opened, setOpened] = useState({ key: 0, chatId: named, seen: named });
  if (named !== opened.seen) {
    const isOwn = named === opened.chatId;
    setOpened({ key: isOwn ? opened.key : opened.key + 1, chatId: named, seen: named });
  }
  return {
    openedId: opened.chatId,
    key: opened.key,
    begin: (chatId: string) => {
      setOpened((was) => ({ ...was, chatId }));
      setParams({ c: chatId }, { replace: true, preventScrollReset: true });
    },
    startNew: () => {
      setOpened((was) => ({ key: was.key + 1, chatId: null, seen: was.seen }));
      void navigate({ search: '' });
    },
  };
}

interface ScopedChatProps {
  workspace: string;
  moduleId: string | undefined;
  isDemo: boolean;
  isSignedIn: boolean;
  chatId: string | null;
  onBegan: (chatId: string) => void;
}

/** Loads the scope and the earlier messages, then renders the conversation. */
function ScopedChat({ workspace, moduleId, isDemo, isSignedIn, chatId, onBegan }: ScopedChatProps) {
  // The id at mount: a new conversation must not be reloaded when it receives its id.
  const [savedId] = useState(chatId);
  const about = useQuery(chatOptions(workspace, moduleId));
  const saved = useInfiniteQuery({ ...savedChatOptions(workspace, savedId ?? ''), enabled: savedId !== null });
  const error = about.error ?? saved.error;
  if (error !== null) {
    const failed = about.error === null ? saved : about;
    return <ChatFault query={{ error, isFetching: failed.isFetching, refetch: failed.refetch }} />;
  }
  if (about.data === undefined || (savedId !== null && saved.data === undefined))
    return <ChatLoading isNew={savedId === null} isDemo={isDemo} />;
  const pages = saved.data?.pages ?? [];
  const messages = pages.toReversed().flatMap((page) => page.messages);
  const isElsewhere = messages.at(-1)?.state === 'writing';
  const keptModuleId = pages[0]?.chat.moduleId ?? undefined;
  return (
    <ConversationView
      // An answer written elsewhere, or older messages, were loaded.
      key={`${isElsewhere}/${pages.length}`}
      {...{ workspace, isDemo, isSignedIn, isElsewhere, onBegan }}
      chatId={savedId}
      moduleId={savedId === null ? moduleId : keptModuleId}
      about={about.data}
      saved={turnsOf(messages)}
      earlier={
        saved.hasNextPage ? { isBusy: saved.isFetchingNextPage, show: () => void saved.fetchNextPage() } : undefined
      }
    />
  );
}

function ChatFault({ query }: { query: { error: Error; isFetching: boolean; refetch: () => unknown } }) {
  const { error } = query;
  const code = error instanceof ApiError ? error.code : 'unknown';
  const isGone = code === 'module-not-found' || code === 'chat-not-found' || code === 'invalid-input';
  const title = code === 'chat-not-found' ? 'Conversation not found' : 'Source not found';
  return (
    <div className="flex flex-1 flex-col justify-center py-10">
      <h1 className="sr-only">Chat</h1>
      {isGone ? (
        <Notice
          tone="warn"
          title={title}
          action={
            <Link to="/chat" reloadDocument className={buttonClasses('plain')}>
              Ask all documentation
            </Link>
          }
        >
          It was removed, or you don't have access to it.
        </Notice>
      ) : (
        <RetryNotice query={query} title="Couldn't open this chat" />
      )}
    </div>
  );
}

/** Also prerendered: tells readers without scripts, and programs, what the page is for. */
function ChatLoading({ isNew, isDemo }: { isNew: boolean; isDemo: boolean }) {
  return (
    <div className="flex flex-1 flex-col gap-6 py-8">
      <div className={isNew ? undefined : 'sr-only'}>
        <h1 className="heading-page">Ask the documentation</h1>
        <WhatAnswersRestOn isDemo={isDemo} />
        <noscript>
          <p className="mt-2 max-w-prose text-md text-soft">
            The chat needs JavaScript. You can search the same documentation on the command line, and agents over MCP.
          </p>
        </noscript>
      </div>
      <Loading label="Opening the chat…" className="flex flex-col gap-4">
        <Skeleton className="h-10 w-2/3 self-end rounded-xl!" />
        <Skeleton className="h-4 w-full" />
        <Skeleton className="h-4 w-11/12" />
        <Skeleton className="h-4 w-3/5" />
      </Loading>
    </div>
  );
}
