import type { ReadOutput, SearchOutput } from '#contract/search.ts';

/** The conversation a call belongs to: what was sent in it is not sent again. */
export interface AgentRef {
  /** Session id of the transport, ours or one the client made up. */
  sessionId?: string;
  /** Name of the conversation that the client passes on with each call; counts more than the session. */
  handle?: string;
  /** As the client calls itself; `unknown` when it does not. */
  clientName: string;
}

export interface SearchDocsInput {
  query: string;
  /** Most tokens (o200k_base) of the rendered answer. */
  budget?: number;
  /** Id or name of the only module to search. */
  module?: string;
  /** Most passages in the answer. */
  limit?: number;
}

export interface ReadUrlInput {
  url: string;
  /** Most tokens (o200k_base) of the rendered answer. */
  budget?: number;
  /** Of a budget that is named, what something beside the text takes at least. */
  reservedTokens?: number;
  /** What the reader is after, when it is known. */
  query?: string;
}

interface InConversation {
  /** Name of the agent's conversation: passed back, it stands for the same memory. Absent where nothing is remembered. */
  conversation?: string;
}

export type SearchAnswer = SearchOutput &
  InConversation & {
    /** Nothing is sent because all that matches was sent before: another matter than nothing found. */
    isAllSent?: boolean;
  };
export type ReadAnswer = ReadOutput & InConversation;
