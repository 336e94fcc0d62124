import type { Generated } from 'kysely';

export interface AgentsTables {
  agentSessions: AgentSessionsTable;
  agentCalls: AgentCallsTable;
  agentQuestions: AgentQuestionsTable;
}

/** What the person at a client was asked: which of several libraries or versions is meant. */
interface AgentQuestionsTable {
  id: string;
  sessionId: string;
  kind: 'library' | 'version';
  /** JSON array of { value, key }: as the form has it, and the library's key or the version's row id. */
  offered: string;
  /** At most one of a session is `asked`. */
  state: 'asked' | 'answered' | 'declined';
  /** A key of those offered; null for any of them. */
  answer: string | null;
  askedAt: number;
  answeredAt: number | null;
}

interface AgentSessionsTable {
  id: string;
  /** What the session is keyed by, for example a transport session id, or key + client. */
  identity: string;
  userId: string;
  keyId: string | null;
  clientName: string;
  handle: string;
  createdAt: number;
  lastSeenAt: number;
  /** The team it was held in; null: for the person themselves. */
  teamId: string | null;
  /** Its client said that it can ask its person. */
  canElicit: Generated<number>;
}

interface AgentCallsTable {
  id: string;
  sessionId: string;
  at: number;
  tool: string;
  query: string | null;
  url: string | null;
  /** JSON array. */
  snippetIds: Generated<string>;
  /** JSON array. */
  pageUrls: Generated<string>;
  tokens: Generated<number>;
  wholePageTokens: Generated<number>;
  withheldTokens: Generated<number>;
  latencyMs: Generated<number>;
  /** Hash of the idempotency key it came under. */
  callKey: Generated<string | null>;
}
