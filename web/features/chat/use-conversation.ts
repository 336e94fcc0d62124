import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { askDocsPath, type ChatEvent, chatEventSchema } from '#contract/chat.ts';
import * as limits from '#contract/limits.ts';
import { streamLines } from '../../lib/stream-lines.ts';
import { individualWorkspace, useWorkspaceId } from '../../lib/workspace.ts';
import { askedTurn, stoppedTurn, type Turn, withEvent, withFault } from './turns.ts';

interface ConversationParts {
  chatId: string | null;
  moduleId: string | undefined;
  isDemo: boolean;
  /** The earlier turns. */
  turns: Turn[];
  /** Called when the server has assigned the conversation's id. */
  onBegan: (chatId: string) => void;
}

export interface Conversation {
  turns: Turn[];
  isAnswering: boolean;
  ask(question: string): void;
  /** Repeats the last question, or replaces it with another. */
  askAgain(question?: string): void;
  stop(): void;
}

/** Display interval for arrived text: short enough to look fluent, long enough to stay readable. */
const showEveryMs = 50;

/** Manages a conversation on the screen: its turns, and the answer arriving in the last one. */
export function useConversation({ chatId, moduleId, isDemo, turns: before, onBegan }: ConversationParts): Conversation {
  const [turns, setTurns] = useState(before);
  const [isAnswering, setIsAnswering] = useState(false);
  const running = useRef<AbortController>(undefined);
  const named = useRef(chatId);
  const selected = useWorkspaceId();
  const client = useQueryClient();
  // The stream belongs to this conversation: leaving it aborts the answer.
  useEffect(() => () => running.current?.abort(), []);

  const send = async (question: string, earlier: Turn[], replacesLast: boolean) => {
    const ended = new AbortController();
    running.current = ended;
    const key = crypto.randomUUID();
    setTurns([...earlier, askedTurn(key, question)]);
    setIsAnswering(true);
    const show = (change: (turn: Turn) => Turn) =>
      setTurns((all) => all.map((turn) => (turn.key === key ? change(turn) : turn)));
    const input = {
      ...{ question, moduleId, isDemo: isDemo || undefined },
      ...(named.current === null
        ? { earlier: saidBefore(earlier) }
        : { chatId: named.current, replacesLast: replacesLast || undefined }),
    };
    const workspace = isDemo ? individualWorkspace : selected;
    try {
      const events = streamLines(askDocsPath, input, chatEventSchema, { signal: ended.signal, workspace });
      for await (const batch of inBatches(events)) {
        show((turn) => batch.reduce(withEvent, turn));
        for (const event of batch) {
          if (event.type !== 'started' || event.chatId === null) continue;
          if (named.current === null) onBegan(event.chatId);
          named.current = event.chatId;
        }
      }
    } catch (error) {
      show((turn) => (ended.signal.aborted ? stoppedTurn(turn) : withFault(turn, error)));
    }
    if (running.current !== ended) return;
    running.current = undefined;
    setIsAnswering(false);
    // The question has cost credits and changed the list of conversations.
    for (const name of ['credits', 'chats']) void client.invalidateQueries({ queryKey: [name] });
  };

  return {
    turns,
    isAnswering,
    ask: (question) => void send(question, turns, false),
    askAgain: (question) => {
      const last = turns.at(-1);
      if (last === undefined || isAnswering) return;
      // A question that never reached the server is not part of the server's conversation.
      void send(question ?? last.question, turns.slice(0, -1), last.answer !== null);
    },
    stop: () => running.current?.abort(),
  };
}

/** Returns the last answered turns, for a server that does not store the conversation. */
function saidBefore(turns: Turn[]): { question: string; answer: string }[] {
  return turns
    .flatMap(({ question, answer }) => {
      const text = answer?.text.slice(0, limits.chatAnswerCharactersMax) ?? '';
      return text === '' ? [] : [{ question, answer: text }];
    })
    .slice(-limits.chatEarlierTurnsMax);
}

/** Groups events that arrive close together, so that the page is not laid out again for each word. */
async function* inBatches(events: AsyncGenerator<ChatEvent>): AsyncGenerator<ChatEvent[]> {
  let next = events.next();
  for (;;) {
    const first = await next;
    if (first.done) return;
    const batch = [first.value];
    const due = performance.now() + showEveryMs;
    next = events.next();
    for (;;) {
      const leftMs = due - performance.now();
      const more = leftMs <= 0 ? undefined : await Promise.race([next.catch(() => undefined), wait(leftMs)]);
      if (more === undefined || more.done) break;
      batch.push(more.value);
      next = events.next();
    }
    yield batch;
  }
}

function wait(ms: number): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), ms));
}
