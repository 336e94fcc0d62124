import type { Generated } from 'kysely';

export interface AgentsTables {
  agentSessions: AgentSessionsTable;
  agentCalls: AgentCallsTable;
  agentQuestions: AgentQuestionsTable;
}

/** A question to the person at a client: which of several libraries or versions is meant. */
interface AgentQuestionsTable {
  id: string;
  sessionId: string;
  kind: 'library' | 'version';
  /** JSON array of { value, key }: the value in the form, and the library's key or the version's row id. */
  offered: string;
  /** At most one question per session is `asked`. */
  state: 'asked' | 'answered' | 'declined';
  /** One of the offered keys; null for any of them. */
  answer: string | null;
  askedAt: number;
  answeredAt: number | null;
}

interface AgentSessionsTable {
  id: string;
  /** The session's key, for example a transport session id, or key + client. */
  identity: string;
  userId: string;
  keyId: string | null;
  clientName: string;
  handle: string;
  createdAt: number;
  lastSeenAt: number;
  /** The team of the session; null for a personal session. */
  teamId: string | null;
  /** The client declared that it can ask its user. */
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
  /** Hash of the call's idempotency key. */
  callKey: Generated<string | null>;
}
