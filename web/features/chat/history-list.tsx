import { useInfiniteQuery } from '@tanstack/react-query';
import { History, MoreHorizontal, Pencil, SquarePen, Trash2, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { type Chat, chatEndpoints } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useConfirm } from '../../kit/use-confirm.tsx';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Menu, MenuItem } from '../../ui/menu.tsx';
import { Modal } from '../../ui/modal.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { chatsOptions } from './queries.ts';

interface HistoryProps {
  openedId: string | null;
  /** Starts a new conversation, also after the open one was deleted. */
  onNew: () => void;
  /** Called when a conversation was selected. */
  onOpen?: () => void;
}

/** A user's conversations: open, rename, delete. */
export function HistoryList({ openedId, onNew, onOpen }: HistoryProps) {
  const chats = useInfiniteQuery(chatsOptions(useWorkspaceId()));
  const removing = useConfirm(
    {
      title: ({ title }: Chat) => `Delete “${title}”?`,
      body: () => 'Permanently deletes its questions and answers.',
      actionLabel: 'Delete conversation',
      onDone: ({ chatId }) => chatId === openedId && onNew(),
    },
    useAction(chatEndpoints.removeChat, { invalidates: ['chats'] }),
    ({ chatId }) => ({ chatId }),
  );
  const removingAll = useConfirm(
    {
      title: (_: 'all') => 'Delete all conversations?',
      body: () => 'Permanently deletes all your conversations in this workspace.',
      actionLabel: 'Delete all',
      onDone: onNew,
    },
    useAction(chatEndpoints.removeAllChats, { invalidates: ['chats'] }),
    () => ({}),
  );
  const listed = chats.data?.pages.flatMap((page) => page.chats) ?? [];
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-2">
      <Button size="sm" onClick={onNew} className="w-full justify-start!">
        <SquarePen aria-hidden className="size-3.5" />
        New chat
      </Button>
      {chats.isPending && <HistoryLoading />}
      {chats.isError && <RetryNotice query={chats} title="Couldn't load your conversations" isSmall />}
      {chats.isSuccess && listed.length === 0 && (
        <p className="px-2.5 py-2 text-faint text-sm">Your conversations appear here. Only you can see them.</p>
      )}
      {listed.length > 0 && (
        <ul aria-label="Conversations" className="-mx-1 flex min-h-0 flex-1 flex-col gap-px overflow-y-auto px-1 py-1">
          {listed.map((chat) => (
            <HistoryEntry
              key={chat.chatId}
              chat={chat}
              isOpened={chat.chatId === openedId}
              onOpen={onOpen}
              onRemove={() => removing.ask(chat)}
            />
          ))}
          {chats.hasNextPage && (
            <li>
              <Button
                size="sm"
                look="quiet"
                isBusy={chats.isFetchingNextPage}
                onClick={() => void chats.fetchNextPage()}
              >
                Show older
              </Button>
            </li>
          )}
        </ul>
      )}
      {listed.length > 0 && (
        <div className="flex flex-wrap gap-1 border-line border-t pt-2">
          <a href="/api/chats/export" download className={buttonClasses('quiet', 'sm')}>
            Export
          </a>
          <Button size="sm" look="quiet" onClick={() => removingAll.ask('all')}>
            Delete all…
          </Button>
        </div>
      )}
      {removing.dialog}
      {removingAll.dialog}
    </div>
  );
}

interface EntryProps {
  chat: Chat;
  isOpened: boolean;
  onOpen: (() => void) | undefined;
  onRemove: () => void;
}

function HistoryEntry({ chat, isOpened, onOpen, onRemove }: EntryProps) {
  const [isNaming, setIsNaming] = useState(false);
  const [isNamedByKey, setIsNamedByKey] = useState(false);
  if (isNaming) {
    const onDone = (isByKey: boolean) => {
      setIsNaming(false);
      setIsNamedByKey(isByKey);
    };
    return <RenameForm chat={chat} onDone={onDone} />;
  }
  return (
    <li className={classNames('group flex items-center rounded-md', isOpened ? 'bg-hover' : 'hover:bg-hover')}>
      <Link
        to={`/chat?c=${encodeURIComponent(chat.chatId)}`}
        title={chat.title}
        aria-current={isOpened ? 'page' : undefined}
        onClick={onOpen}
        className={classNames(
          'min-w-0 flex-1 truncate rounded-md px-2.5 py-1.5 text-sm',
          isOpened ? 'text-ink' : 'text-soft group-hover:text-ink',
        )}
      >
        {chat.title}
      </Link>
      <Menu
        trigger={
          <Button
            look="quiet"
            size="icon-sm"
            aria-label={`Actions for ${chat.title}`}
            // After renaming by keyboard, the focus returns here.
            autoFocus={isNamedByKey}
            className="size-7!"
          >
            <MoreHorizontal aria-hidden className="size-3.5" />
          </Button>
        }
      >
        <MenuItem icon={Pencil} onSelect={() => setIsNaming(true)} label="Rename" />
        <MenuItem icon={Trash2} onSelect={onRemove} isDangerous label="Delete…" />
      </Menu>
    </li>
  );
}

function RenameForm({ chat, onDone }: { chat: Chat; onDone: (isByKey: boolean) => void }) {
  const rename = useAction(chatEndpoints.renameChat, { invalidates: ['chats'] });
  const [title, setTitle] = useState(chat.title);
  const save = (isByKey: boolean) => {
    if (rename.isPending) return;
    if (title.trim() === '' || title.trim() === chat.title) return onDone(isByKey);
    rename.mutate({ chatId: chat.chatId, title: title.trim() }, { onSuccess: () => onDone(isByKey) });
  };
  return (
    <li>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save(true);
        }}
      >
        <input
          autoFocus
          aria-label={`New title of ${chat.title}`}
          aria-busy={rename.isPending || undefined}
          maxLength={limits.chatTitleCharactersMax}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
          onFocus={(event) => event.target.select()}
          onBlur={() => save(false)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            // Keeps the surrounding sheet open.
            event.preventDefault();
            if (!rename.isPending) onDone(true);
          }}
          className={classNames(
            'h-8 w-full rounded-md border border-line-field bg-surface px-2 text-ink text-sm outline-none focus:border-lamp',
            rename.isPending && 'cursor-progress opacity-60',
          )}
        />
        {rename.error && (
          <p role="alert" className="px-2 pt-1 text-danger text-xs">
            {sentenceForPeople(rename.error)}
          </p>
        )}
      </form>
    </li>
  );
}

function HistoryLoading() {
  return (
    <Loading label="Loading your conversations…" className="flex flex-col gap-3 px-2.5 py-2">
      {['w-40', 'w-32', 'w-44'].map((width) => (
        <Skeleton key={width} className={`h-3.5 ${width}`} />
      ))}
    </Loading>
  );
}

/** The conversations on a narrow screen, in a side sheet. */
export function HistorySheet({ openedId, onNew }: { openedId: string | null; onNew: () => void }) {
  const [isOpen, setIsOpen] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <Button size="sm" look="quiet" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        <History aria-hidden className="size-3.5" />
        History
      </Button>
      <Modal
        isOpen={isOpen}
        onClose={close}
        labelledBy="conversations"
        className="mr-auto flex h-dvh max-h-none w-80 max-w-[85vw] flex-col gap-3 border-r p-3 transition-transform duration-150 starting:-translate-x-full"
      >
        <div className="flex items-center justify-between pl-2.5">
          <PartHeading id="conversations">Conversations</PartHeading>
          <IconButton icon={X} label="Close" onClick={close} />
        </div>
        <HistoryList
          openedId={openedId}
          onOpen={close}
          onNew={() => {
            close();
            onNew();
          }}
        />
      </Modal>
    </>
  );
}
