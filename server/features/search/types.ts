import type { ReadOutput, SearchOutput } from '#contract/search.ts';
import type { ReadableModule, UnreadableModule } from '#server/features/catalog/index.ts';
import type { Candidate } from './candidates.ts';
import type { VersionChoice } from './choose-versions.ts';

/** The conversation a call belongs to; passages already sent in it are not sent again. */
export interface AgentRef {
  /** Transport session id, ours or chosen by the client. */
  sessionId?: string;
  /** Conversation name that the client passes with each call; takes precedence over the session. */
  handle?: string;
  /** The client's name for itself; `unknown` if it gives none. */
  clientName: string;
}

export interface FoundPassages {
  /** The modules that were searched. */
  modules: ReadableModule[];
  /** Libraries whose version the answer may need to mention: see `chooseVersions`. */
  choices: VersionChoice[];
  /** Modules whose index cannot be read. */
  unreadable: UnreadableModule[];
  /** Best first; empty if nothing fits. */
  candidates: Candidate[];
  /** If nothing fits: the nearest passages, best first. */
  nearest: Candidate[];
  /** A well-known library that begins the query and that the caller cannot read. */
  absent?: string | undefined;
  /** Names in the query that these modules do not contain: the answering library if the query names it, else all. */
  nowhere: { names: string[]; modules: ReadableModule[] };
  /** True if an embedding model is configured but did not respond. */
  isModelAway: boolean;
}

export interface SearchDocsInput {
  query: string;
  /** Most tokens (o200k_base) of the rendered answer. */
  budget?: number;
  /** Id or name of the only module to search. */
  module?: string;
  /** Most passages in the answer. */
  limit?: number;
  /** Passages already found for this call: see `askWhich`. */
  found?: FoundPassages | undefined;
}

export interface ReadUrlInput {
  url: string;
  /** Most tokens (o200k_base) of the rendered answer. */
  budget?: number;
  /** Fewest tokens of a caller's budget to reserve for data sent beside the text. */
  reservedTokens?: number;
  /** The reader's question, if known. */
  query?: string;
}

interface InConversation {
  /** Name of the agent's conversation: passing it back continues the same memory. Absent if nothing is remembered. */
  conversation?: string;
}

export type SearchAnswer = SearchOutput &
  InConversation & {
    /** True if nothing is sent because all matches were sent before, as opposed to no matches. */
    isAllSent?: boolean;
  };
export type ReadAnswer = ReadOutput & InConversation;
