import type { ReadOutput, SearchOutput } from '#contract/search.ts';
import type { ReadableModule, UnreadableModule } from '#server/features/catalog/index.ts';
import type { Candidate } from './candidates.ts';
import type { VersionChoice } from './choose-versions.ts';

/** The conversation a call belongs to: what was sent in it is not sent again. */
export interface AgentRef {
  /** Session id of the transport, ours or one the client made up. */
  sessionId?: string;
  /** Name of the conversation that the client passes on with each call; counts more than the session. */
  handle?: string;
  /** As the client calls itself; `unknown` when it does not. */
  clientName: string;
}

export interface FoundPassages {
  /** Those that were searched. */
  modules: ReadableModule[];
  /** Libraries whose version is worth a word: see `chooseVersions`. */
  choices: VersionChoice[];
  /** Of the modules, those whose index cannot be read. */
  unreadable: UnreadableModule[];
  /** Best first; none where nothing fits. */
  candidates: Candidate[];
  /** Where nothing fits: what comes nearest, best first. */
  nearest: Candidate[];
  /** A well-known library that the query begins with and that is not among those the caller may read. */
  absent?: string | undefined;
  /** Names in the query that stand nowhere in these modules: the library that answers, where the query names it, else all. */
  nowhere: { names: string[]; modules: ReadableModule[] };
  /** A model that knows what passages mean is there, and did not answer. */
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
  /** Passages that were found for this call before: see `askWhich`. */
  found?: FoundPassages | undefined;
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
