import type { Generated } from 'kysely';

export interface AgentsTables {
  agentSessions: AgentSessionsTable;
  agentCalls: AgentCallsTable;
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
}
