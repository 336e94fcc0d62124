import { useQuery } from '@tanstack/react-query';
import { ArrowDown } from 'lucide-react';
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { chatEndpoints } from '#contract/chat.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { modulesOptions } from '../../lib/library-queries.ts';
import { useSession } from '../../lib/session.ts';
import { siteOptions } from '../../lib/site.ts';
import { individualWorkspace } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Select } from '../../ui/select.tsx';
import { Composer } from './composer.tsx';
import { EmptyChat } from './empty-chat.tsx';
import { TurnView } from './turn-view.tsx';
import { sourcesOf, type Turn } from './turns.ts';
import { useConversation } from './use-conversation.ts';

interface ConversationViewProps {
  workspace: string;
  moduleId: string | undefined;
  isDemo: boolean;
  isSignedIn: boolean;
  chatId: string | null;
  about: OutputOf<typeof chatEndpoints.describeChat>;
  saved: Turn[];
  /** Messages before the ones shown. */
  earlier: { isBusy: boolean; show: () => void } | undefined;
  /** True if an answer is being written in another window. */
  isElsewhere: boolean;
  onBegan: (chatId: string) => void;
}

/** A conversation: its messages, the answer in progress, and the composer. */
export function ConversationView(props: ConversationViewProps) {
  const { workspace, moduleId, isDemo, isSignedIn, chatId, about, saved, earlier, isElsewhere, onBegan } = props;
  const user = useSession().data?.user ?? null;
  // In a team, the team pays, even for the operator; visitors pay nothing.
  const areCreditsOn = useQuery(siteOptions).data?.areCreditsOn !== false;
  const isCharged = areCreditsOn && isSignedIn && (user?.isOperator === false || workspace !== individualWorkspace);
  const conversation = useConversation({ chatId, moduleId, isDemo, turns: saved, onBegan });
  const { turns, isAnswering } = conversation;
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const endRef = useRef<HTMLDivElement>(null);
  const { isAway, toEnd } = useFollowBottom(endRef, turns);
  const isEmpty = turns.length === 0;
  const isNew = useRef(isEmpty);
  useEffect(() => {
    if (isNew.current) focusOnDesktop(inputRef);
  }, []);
  const ask = (question: string) => {
    conversation.ask(question);
    toEnd();
    inputRef.current?.focus();
  };
  const askAgain = (question?: string) => {
    conversation.askAgain(question);
    // The clicked button disappears during the answer.
    focusOnDesktop(inputRef);
  };
  return (
    <>
      {isEmpty ? (
        <EmptyChat
          {...{ workspace, isDemo, isSignedIn, moduleId }}
          moduleName={about.module?.displayName}
          onAsk={ask}
        />
      ) : (
        <div className="flex flex-1 flex-col gap-10 pt-8 pb-4">
          <h1 className="sr-only">Conversation</h1>
          {earlier !== undefined && (
            <Button size="sm" look="quiet" isBusy={earlier.isBusy} onClick={earlier.show} className="self-center">
              Show earlier messages
            </Button>
          )}
          {turns.map((turn, at) => (
            <TurnView
              key={turn.key}
              {...{ turn, isCharged, isSignedIn }}
              isLast={at === turns.length - 1 && !isElsewhere}
              onAskAgain={askAgain}
            />
          ))}
        </div>
      )}
      {isElsewhere && <Notice tone="info">This answer is being written and will appear here.</Notice>}
      <p role="status" aria-live="polite" className="sr-only">
        {announcementOf(turns.at(-1), isAnswering)}
      </p>
      <div className="bottom-bar pt-2 pb-4">
        {isAway && isAnswering && (
          <div className="-top-10 absolute inset-x-0 flex justify-center">
            <Button size="sm" onClick={toEnd}>
              <ArrowDown aria-hidden className="size-3.5" />
              Jump to latest
            </Button>
          </div>
        )}
        <Composer
          inputRef={inputRef}
          draftName={`${workspace}/${chatId ?? moduleId ?? ''}`}
          isAnswering={isAnswering || isElsewhere}
          placeholder={isEmpty ? 'Ask about the documentation' : 'Ask a follow-up question'}
          onSend={ask}
          onStop={conversation.stop}
        >
          <Scope
            {...{ workspace, isDemo, moduleId }}
            isFixed={chatId !== null || !isEmpty}
            name={about.module?.displayName}
          />
        </Composer>
        {about.writer === 'passages' && (
          <p className="mt-2 text-balance text-center text-faint text-xs">
            No language model is configured: answers quote the best passage.
          </p>
        )}
      </div>
      {/* Undoes the space that focused elements keep to the bar above. */}
      <div ref={endRef} className="-scroll-mb-36" />
    </>
  );
}

/** On touch screens, focus would open the keyboard. */
function focusOnDesktop({ current }: RefObject<HTMLElement | null>): void {
  if (window.matchMedia('(pointer: fine)').matches) current?.focus({ preventScroll: true });
}

interface ScopeProps {
  workspace: string;
  isDemo: boolean;
  moduleId: string | undefined;
  name: string | undefined;
  /** A conversation keeps the scope it began with. */
  isFixed: boolean;
}

function Scope({ workspace, isDemo, moduleId, name, isFixed }: ScopeProps) {
  const navigate = useNavigate();
  if (isFixed || isDemo) {
    const asked =
      moduleId === undefined ? (isDemo ? 'All public documentation' : 'All documentation') : (name ?? moduleId);
    return <p className="truncate px-2.5 text-faint text-sm">{asked}</p>;
  }
  return (
    <ScopePicker
      {...{ workspace, isDemo, moduleId }}
      onChange={(next) => void navigate(next === undefined ? '/chat' : `/chat/${encodeURIComponent(next)}`)}
    />
  );
}

/** Returns the screen reader announcement: a few words per stage of an answer, not its text. */
function announcementOf(turn: Turn | undefined, isAnswering: boolean): string {
  if (turn === undefined) return '';
  if (isAnswering) return turn.activity?.kind === 'writing' ? 'Writing the answer.' : 'Searching the documentation.';
  if (turn.fault !== null) return '';
  if (turn.answer === null) return 'Stopped.';
  const { cited } = sourcesOf(turn.answer);
  return turn.answer.state === 'stopped'
    ? 'Stopped.'
    : `The answer is complete, with ${countOf(cited.length, 'source')}.`;
}

interface ScopePickerProps {
  workspace: string;
  isDemo: boolean;
  moduleId: string | undefined;
  onChange: (moduleId: string | undefined) => void;
}

const everything = '*';

/** Selects the documentation to ask: everything the user may read, or one module. */
function ScopePicker({ workspace, isDemo, moduleId, onChange }: ScopePickerProps) {
  const modules = useQuery(modulesOptions(workspace));
  const offered = modules.data?.filter(({ visibility }) => !isDemo || visibility === 'public') ?? [];
  const options = [
    { value: everything, label: 'All documentation' },
    ...offered.map(({ moduleId: value, displayName, visibility }) => ({
      value,
      label: displayName,
      ...(visibility === 'private' ? { note: 'private' } : {}),
    })),
  ];
  if (moduleId !== undefined && !offered.some((module) => module.moduleId === moduleId)) {
    options.push({ value: moduleId, label: moduleId });
  }
  return (
    <Select
      label="Ask"
      options={options}
      value={moduleId ?? everything}
      onChange={(value) => onChange(value === everything ? undefined : value)}
      className="max-w-full border-transparent! shadow-none!"
    />
  );
}

/** Within this distance the reader counts as being at the end. */
const nearPx = 80;

/**
 * Scrolls a growing page to its end, unless the reader has scrolled away; scrolling back to the end resumes it.
 * `watched` changes whenever the content grows.
 */
function useFollowBottom(
  endRef: RefObject<HTMLElement | null>,
  watched: readonly unknown[],
): { isAway: boolean; toEnd: () => void } {
  const [isAway, setIsAway] = useState(false);
  const toEnd = useCallback(() => {
    endRef.current?.scrollIntoView({ block: 'end' });
    setIsAway(false);
  }, [endRef]);

  useEffect(() => {
    let lastY = window.scrollY;
    const onScroll = () => {
      const end = endRef.current?.getBoundingClientRect().bottom ?? 0;
      const isNear = end <= window.innerHeight + nearPx;
      const isUpward = window.scrollY < lastY - 1;
      lastY = window.scrollY;
      // Growing content also moves the end away: only scrolling up means that the reader left it.
      setIsAway((was) => (isNear ? false : was || isUpward));
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, [endRef]);

  // oxlint-disable-next-line react-hooks/exhaustive-deps -- changes of `watched` move the end
  useLayoutEffect(() => {
    const end = endRef.current;
    // Before the first question, the page begins at its top.
    if (end === null || isAway || watched.length === 0) return;
    if (end.getBoundingClientRect().bottom > window.innerHeight) end.scrollIntoView({ block: 'end' });
  }, [endRef, isAway, watched]);

  return { isAway, toEnd };
}
