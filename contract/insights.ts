import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

/** A search or read by an agent. */
export const agentCallSchema = z.object({
  at: z.int(),
  tool: z.string(),
  /** Null for a read. */
  query: z.string().nullable(),
  /** Null for a search. */
  url: z.string().nullable(),
  /** The client's name as it reports itself. */
  client: z.string(),
  /** The key or application used; null once deleted. */
  credential: z.string().nullable(),
  /** Tokens (o200k_base) of the response. */
  tokens: z.int(),
  /** Tokens of the full pages that the response was taken from. */
  wholePageTokens: z.int(),
  /** Addresses of the pages in the response. */
  pages: z.array(z.string()),
  latencyMs: z.number(),
});
export type AgentCall = z.infer<typeof agentCallSchema>;

export const insightsSchema = z.object({
  /** Libraries by number of responses that used them, highest first. */
  libraries: z.array(z.object({ name: z.string(), moduleId: z.string().nullable(), answers: z.int() })),
  /** Search latency of each day (UTC) with searches; oldest first. */
  latency: z.array(z.object({ at: z.int(), searches: z.int(), medianMs: z.number(), p95Ms: z.number() })),
  /** Searches without results, most frequent first. */
  unanswered: z.array(z.object({ query: z.string(), count: z.int(), lastAt: z.int() })),
  /** Number of searches without results. */
  unansweredCount: z.int(),
});
export type Insights = z.infer<typeof insightsSchema>;

const days = z.coerce.number().int().min(1).max(limits.usageDaysMax).default(limits.usageDaysDefault);

export const insightEndpoints = {
  listAgentCalls: endpoint('GET /api/agent-calls', {
    summary: 'Lists your agents’ latest calls, newest first. In a team, admins get those of all members.',
    input: z.object({ limit: z.coerce.number().int().min(1).max(100).default(20) }),
    output: z.object({ calls: z.array(agentCallSchema) }),
    live: 'credits',
  }),
  getInsights: endpoint('GET /api/insights', {
    summary: 'Returns which libraries answered agents in the last days, how fast, and which searches found nothing.',
    input: z.object({ days }),
    output: z.object({ insights: insightsSchema }),
    live: 'credits',
  }),
};
