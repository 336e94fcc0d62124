import { useQuery } from '@tanstack/react-query';
import { ArrowDown } from 'lucide-react';
import { useRef } from 'react';
import { useNavigate } from 'react-router';
import type { chatEndpoints } from '#contract/chat.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { useSession } from '../../lib/session.ts';
import { siteOptions } from '../../lib/site.ts';
import { individualWorkspace } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Composer } from './composer.tsx';
import { EmptyChat } from './empty-chat.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { TurnView } from './turn-view.tsx';
import { sourcesOf, type Turn } from './turns.ts';
import { useConversation } from './use-conversation.ts';
import { useFollowBottom } from './use-follow-bottom.ts';

interface ConversationViewProps {
  workspace: string;
  moduleId: string | undefined;
  isDemo: boolean;
  isSignedIn: boolean;
  chatId: string | null;
  about: OutputOf<typeof chatEndpoints.describeChat>;
  saved: Turn[];
  /** Messages before those that are shown. */
  earlier: { isBusy: boolean; show: () => void } | undefined;
  /** An answer is being written in another window. */
  isElsewhere: boolean;
  onBegan: (chatId: string) => void;
}

/** One conversation: what was said, what is being said, and where the next question is written. */
export function ConversationView(props: ConversationViewProps) {
  const { workspace, moduleId, isDemo, isSignedIn, chatId, about, saved, earlier, isElsewhere, onBegan } = props;
  const user = useSession().data?.user ?? null;
  // A team pays for the caller in it, the operator too; visitors pay nothing.
  const areCreditsOn = useQuery(siteOptions).data?.areCreditsOn !== false;
  const isCharged = areCreditsOn && isSignedIn && (user?.isOperator === false || workspace !== individualWorkspace);
  const conversation = useConversation({ chatId, moduleId, isDemo, turns: saved, onBegan });
  const { turns, isAnswering } = conversation;
  const inputRef = useRef<HTMLTextAreaElement>(null);
  const endRef = useRef<HTMLDivElement>(null);
  const { isAway, toEnd } = useFollowBottom(endRef, turns);
  const isEmpty = turns.length === 0;
  const ask = (question: string) => {
    conversation.ask(question);
    toEnd();
    inputRef.current?.focus();
  };
  const askAgain = (question?: string) => {
    conversation.askAgain(question);
    // What was pressed is gone while the answer comes. On a screen that is touched, focus would bring up the keyboard.
    if (window.matchMedia('(pointer: fine)').matches) inputRef.current?.focus();
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
      <div className="sticky bottom-0 z-10 bg-canvas pt-2 pb-4">
        {isAway && isAnswering && (
          <div className="-top-10 absolute inset-x-0 flex justify-center">
            <Button size="sm" onClick={toEnd}>
              <ArrowDown aria-hidden className="size-3.5" />
              To the newest
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
          <p className="mt-2 text-center text-faint text-xs">
            No language model is configured: answers quote the best passages.
          </p>
        )}
      </div>
      <div ref={endRef} />
    </>
  );
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

/** Read out when it changes: a few words at the turns of an answer, never each word of it. */
function announcementOf(turn: Turn | undefined, isAnswering: boolean): string {
  if (turn === undefined) return '';
  if (isAnswering) return turn.activity?.kind === 'writing' ? 'Writing the answer.' : 'Searching the documentation.';
  if (turn.answer === null || turn.fault !== null) return '';
  const { cited } = sourcesOf(turn.answer);
  return turn.answer.state === 'stopped' ? 'Stopped.' : `The answer is complete, with ${cited.length} sources.`;
}
