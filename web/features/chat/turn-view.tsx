import { LoaderCircle, Pencil, RotateCcw } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { ChatMessage, ChatUsage } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf, formatCount, formatSeconds } from '../../ui/quantities.ts';
import { placeOf } from './citation-words.ts';
import { AnswerMarkdown, SourceList } from './source-list.tsx';
import { type Activity, type Fault, sourcesOf, type Turn } from './turns.ts';

// Loaded lazily: questions are rarely edited.
const EditQuestion = lazy(() => import('./edit-question.tsx').then((part) => ({ default: part.EditQuestion })));

interface TurnProps {
  turn: Turn;
  /** The last question can be asked again or edited. */
  isLast: boolean;
  isCharged: boolean;
  isSignedIn: boolean;
  onAskAgain: (question?: string) => void;
}

/** A question and its answer. */
export function TurnView({ turn, isLast, isCharged, isSignedIn, onAskAgain }: TurnProps) {
  const [isEditing, setIsEditing] = useState(false);
  const [isCancelled, setIsCancelled] = useState(false);
  const { answer, activity, fault } = turn;
  const canChange = isLast && activity === null;
  return (
    <article aria-label={turn.question.slice(0, 100)} className="flex flex-col gap-4">
      {isEditing && canChange ? (
        <Suspense>
          <EditQuestion
            question={turn.question}
            onCancel={() => {
              setIsEditing(false);
              setIsCancelled(true);
            }}
            onSend={(question) => {
              setIsEditing(false);
              onAskAgain(question);
            }}
          />
        </Suspense>
      ) : (
        <div className="group flex items-start justify-end gap-1">
          {canChange && (
            <Button
              look="quiet"
              size="icon-sm"
              aria-label="Edit question"
              // Cancelling the edit returns the focus here.
              autoFocus={isCancelled}
              onClick={() => setIsEditing(true)}
            >
              <Pencil aria-hidden className="size-3.5" />
            </Button>
          )}
          <h2 className="max-w-[85%] whitespace-pre-wrap rounded-xl rounded-br-xs bg-hover px-4 py-2.5 text-ink text-md">
            {turn.question}
          </h2>
        </div>
      )}
      <div className="min-w-0">
        {answer !== null && answer.text !== '' && (
          <Suspense fallback={<p className="prose whitespace-pre-wrap">{answer.text}</p>}>
            <AnswerMarkdown text={answer.text} citations={answer.citations} />
          </Suspense>
        )}
        {activity !== null && <ActivityLine turn={turn} activity={activity} />}
        {activity === null && <Outcome answer={answer} fault={fault} isSignedIn={isSignedIn} onRetry={onAskAgain} />}
        {answer !== null && activity === null && (
          <>
            <SourceList answer={answer} />
            <AnswerFoot answer={answer} canAskAgain={canChange} isCharged={isCharged} onAskAgain={onAskAgain} />
          </>
        )}
      </div>
    </article>
  );
}

interface OutcomeProps {
  answer: ChatMessage | null;
  fault: Fault | null;
  isSignedIn: boolean;
  onRetry: () => void;
}

/** A notice that the answer is incomplete, or why it is missing. */
function Outcome({ answer, fault, isSignedIn, onRetry }: OutcomeProps) {
  if (fault !== null || answer?.state === 'failed') {
    const code = fault?.code ?? answer?.errorCode ?? 'unknown';
    const message = fault?.message ?? 'This answer could not be completed.';
    return (
      <div className="mt-3">
        <Notice
          tone={code === 'credits-exhausted' || code === 'chat-limit-reached' ? 'warn' : 'bad'}
          title={faultTitles[code] ?? 'The answer could not be completed'}
          action={<FaultAction code={code} isSignedIn={isSignedIn} onRetry={onRetry} />}
        >
          {message}
          {fault?.code === 'internal' && fault.requestId !== undefined ? ` (${fault.requestId})` : ''}
        </Notice>
      </div>
    );
  }
  if (answer === null) return <p className="mt-3 text-faint text-sm">Stopped before the answer began.</p>;
  if (answer.text.length >= limits.chatAnswerCharactersMax) {
    return (
      <p className="mt-3 text-faint text-sm">
        Cut off: an answer can have at most {formatCount(limits.chatAnswerCharactersMax)} characters.
      </p>
    );
  }
  if (answer.state === 'stopped') return <p className="mt-3 text-faint text-sm">Stopped. The answer so far is kept.</p>;
  if (answer.errorCode === 'model-failed') {
    return (
      <div className="mt-3">
        <Notice tone="warn">The language model did not respond, so the best passage is quoted.</Notice>
      </div>
    );
  }
  if (answer.writer === 'model' && sourcesOf(answer).cited.length === 0) {
    return <p className="mt-3 text-faint text-sm">No passage is cited. Compare the answer with the passages found.</p>;
  }
  return null;
}

const faultTitles: Partial<Record<string, string>> = {
  'credits-exhausted': 'No credits left',
  'chat-limit-reached': 'Too many questions',
  'chat-busy': 'Another answer is being written',
  'chat-full': 'This conversation is full',
  'chat-not-found': 'This conversation no longer exists',
  'module-not-found': 'This source no longer exists',
  offline: 'The connection was lost',
};

function FaultAction({ code, isSignedIn, onRetry }: { code: string; isSignedIn: boolean; onRetry: () => void }) {
  if (code === 'credits-exhausted') {
    return <ButtonLink to="/subscribe">Get more credits</ButtonLink>;
  }
  if (code === 'chat-limit-reached' && !isSignedIn) {
    return <ButtonLink to="/signup">Sign up</ButtonLink>;
  }
  if (code === 'chat-full' || code === 'chat-not-found' || code === 'module-not-found') {
    return (
      <Link to="/chat" reloadDocument className={buttonClasses('plain')}>
        New chat
      </Link>
    );
  }
  return <Button onClick={() => onRetry()}>Try again</Button>;
}

interface FootProps {
  answer: ChatMessage;
  canAskAgain: boolean;
  isCharged: boolean;
  onAskAgain: () => void;
}

/** The answer's usage, and its actions. */
function AnswerFoot({ answer, canAskAgain, isCharged, onAskAgain }: FootProps) {
  return (
    <div className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
      {answer.usage !== null && (
        <p className="tabular text-faint text-xs" title={modelWords(answer.usage)}>
          {usageWords(answer.usage, isCharged)}
        </p>
      )}
      <div className="-mr-2 ml-auto flex items-center">
        {canAskAgain && (
          <Button look="quiet" size="icon-sm" aria-label="Answer again" onClick={() => onAskAgain()}>
            <RotateCcw aria-hidden className="size-3.5" />
          </Button>
        )}
        {answer.text !== '' && <CopyButton text={answerAsMarkdown(answer)} label="Copy answer as Markdown" />}
      </div>
    </div>
  );
}

/**
 * After this time, a notice says that the model is slow: a working model starts sooner, and a dead one times out much
 * later.
 */
const patienceSeconds = 8;

/** The progress of an answer. The screen's status announces it, so this line is silent except after a long wait. */
function ActivityLine({ turn, activity }: { turn: Turn; activity: Activity }) {
  const silence = useSilenceOf(turn);
  const isLong = silence >= patienceSeconds;
  const hasFound = (turn.answer?.citations.length ?? 0) > 0;
  const still = hasFound ? 'Still waiting for the model' : 'Still searching';
  return (
    <div className="mt-2 text-faint text-sm">
      <p aria-hidden className="flex items-center gap-2">
        <LoaderCircle className="size-3.5 shrink-0 animate-[turn_0.9s_linear_infinite]" />
        <span className="tabular truncate">{isLong ? `${still}, ${formatSeconds(silence)}…` : wordsOf(activity)}</span>
      </p>
      <p role="status" className="sr-only">
        {isLong && `${still}. Escape in the question box stops the answer.`}
      </p>
    </div>
  );
}

/** Returns the number of whole seconds since the answer last changed. Each change creates a new `turn`. */
function useSilenceOf(turn: Turn): number {
  const [silence, setSilence] = useState({ turn, seconds: 0 });
  useEffect(() => {
    const since = Date.now();
    const timer = setInterval(() => setSilence({ turn, seconds: Math.floor((Date.now() - since) / 1_000) }), 1_000);
    return () => clearInterval(timer);
  }, [turn]);
  return silence.turn === turn ? silence.seconds : 0;
}

function wordsOf(activity: Activity): string {
  switch (activity.kind) {
    case 'searching':
      return `Searching for “${activity.query.slice(0, 80)}”…`;
    case 'reading':
      return `Reading ${activity.url.replace(/^https?:\/\//, '')}…`;
    case 'writing':
      return 'Writing…';
  }
}

/** Returns an answer with its sources as Markdown for use elsewhere: numbers link to the original pages. */
function answerAsMarkdown(answer: ChatMessage): string {
  const { cited } = sourcesOf(answer);
  if (cited.length === 0) return answer.text.trim();
  const lines = cited.map(
    (citation) => `${citation.number}. [${labelOf(placeOf(citation))}](${addressOf(citation.url)})`,
  );
  return `${answer.text.trim()}\n\nSources:\n\n${lines.join('\n')}\n`;
}

function labelOf(text: string): string {
  return text.replace(/[[\]\\]/g, '\\$&');
}

function addressOf(url: string): string {
  return url.replace(/[()\s<>]/g, (character) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`);
}

/**
 * Returns a text such as '2 searches, 1 read, 1,240 tokens of documentation, 3 credits'. Credits are left out if the
 * call is free.
 */
function usageWords(usage: ChatUsage, isCharged: boolean): string {
  return [
    countOf(usage.searches, 'search', 'searches'),
    ...(usage.reads > 0 ? [countOf(usage.reads, 'read')] : []),
    `${countOf(usage.documentationTokens, 'token')} of documentation`,
    ...(isCharged ? [countOf(usage.credits, 'credit')] : []),
  ].join(', ');
}

/** Returns a text such as '900 tokens in, 40 out', as counted by the model; undefined if it reports no count. */
function modelWords({ modelInputTokens, modelOutputTokens }: ChatUsage): string | undefined {
  if (modelInputTokens === null || modelOutputTokens === null) return undefined;
  return `Model: ${countOf(modelInputTokens, 'token')} in, ${countOf(modelOutputTokens, 'token')} out`;
}
