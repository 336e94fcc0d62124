import type { ChatCitation, ChatEvent, ChatMessage } from '#contract/chat.ts';
import { ApiError, type ApiErrorCode, sentenceForPeople } from '../../lib/api-error.ts';

/** The current step of an answer in progress. */
export type Activity = { kind: 'searching'; query: string } | { kind: 'reading'; url: string } | { kind: 'writing' };

export interface Fault {
  code: ApiErrorCode | 'unknown';
  message: string;
  requestId: string | undefined;
}

/** A question with its answer, or the answer so far. */
export interface Turn {
  /** Known before the server assigns an id. */
  key: string;
  question: string;
  /** Null until the stream begins, and if it never does. */
  answer: ChatMessage | null;
  activity: Activity | null;
  fault: Fault | null;
}

/** Returns the turn of a question that was just asked. */
export function askedTurn(key: string, question: string): Turn {
  return { key, question, answer: null, activity: { kind: 'searching', query: question }, fault: null };
}

/** Returns the turn after another event of its answer. */
export function withEvent(turn: Turn, event: ChatEvent): Turn {
  const { answer } = turn;
  switch (event.type) {
    case 'started':
      return { ...turn, answer: emptyAnswer(event.answerId) };
    case 'searching':
      return { ...turn, activity: { kind: 'searching', query: event.query } };
    case 'reading':
      return { ...turn, activity: { kind: 'reading', url: event.url } };
    case 'passages':
      return withAnswer(turn, { citations: [...(answer?.citations ?? []), ...event.citations] });
    case 'text':
      return { ...withAnswer(turn, { text: (answer?.text ?? '') + event.delta }), activity: { kind: 'writing' } };
    case 'restart':
      return withAnswer(turn, { text: '', writer: event.writer });
    case 'usage':
      return withAnswer(turn, { usage: event.usage });
    case 'done':
      return { ...turn, answer: event.message, activity: null };
    case 'error': {
      const { code, message, requestId } = event;
      return { ...turn, answer: event.answer, activity: null, fault: { code, message, requestId } };
    }
  }
}

/** Returns the turn after its answer failed. */
export function withFault(turn: Turn, error: unknown): Turn {
  const fault: Fault = {
    code: error instanceof ApiError ? error.code : 'unknown',
    message: sentenceForPeople(error),
    requestId: error instanceof ApiError ? error.requestId : undefined,
  };
  return { ...withAnswer(turn, { state: 'failed' }), activity: null, fault };
}

/** Returns the turn after the user stopped it. */
export function stoppedTurn(turn: Turn): Turn {
  return { ...withAnswer(turn, { state: 'stopped' }), activity: null };
}

/** Converts saved messages to turns. */
export function turnsOf(messages: readonly ChatMessage[]): Turn[] {
  return messages.flatMap((message, index) => {
    if (message.role !== 'question') return [];
    const next = messages[index + 1];
    const answer = next?.role === 'answer' ? next : null;
    return [{ key: message.id, question: message.text, answer, activity: null, fault: null }];
  });
}

/** Returns the passages that the text cites, ordered by number, and the other passages. */
export function sourcesOf(answer: ChatMessage): { cited: ChatCitation[]; others: ChatCitation[] } {
  const named = new Set([...answer.text.matchAll(/\[(\d{1,3})\]/g)].map(([, number]) => Number(number)));
  return {
    cited: answer.citations.filter(({ number }) => named.has(number)),
    others: answer.citations.filter(({ number }) => !named.has(number)),
  };
}

function withAnswer(turn: Turn, change: Partial<ChatMessage>): Turn {
  return turn.answer === null ? turn : { ...turn, answer: { ...turn.answer, ...change } };
}

function emptyAnswer(id: string): ChatMessage {
  return {
    ...{ id, role: 'answer', text: '', state: 'writing', writer: null, errorCode: null },
    ...{ citations: [], usage: null, createdAt: Date.now() },
  };
}
