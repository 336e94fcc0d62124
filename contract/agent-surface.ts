import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const described = z.object({
  name: z.string(),
  description: z.string(),
  /** As it is sent to an agent. */
  definition: z.record(z.string(), z.unknown()),
  tokens: z.int(),
});

const agentSurface = z.object({
  productName: z.string(),
  instructions: z.object({ text: z.string(), tokens: z.int() }),
  tools: z.array(described),
  /** All tools together, as the list is sent. */
  toolsTokens: z.int(),
  /** What deep-research clients see in place of `tools`. */
  deepResearchTools: z.array(described),
  prompts: z.array(described),
  resources: z.array(described.extend({ uriTemplate: z.string() })),
});
export type AgentSurface = z.infer<typeof agentSurface>;

export const agentSurfaceEndpoints = {
  getAgentSurface: endpoint({
    method: 'GET',
    path: '/api/agent-surface',
    summary: 'Lists the tools, prompts and resources that agents get over MCP, with their size in tokens.',
    access: 'anyone',
    input: z.object({}),
    output: agentSurface,
  }),
};
