import { z } from 'zod';
import { endpoint } from './endpoint.ts';

const described = z.object({
  name: z.string(),
  description: z.string(),
  /** As sent to an agent. */
  definition: z.record(z.string(), z.unknown()),
  tokens: z.int(),
});

const agentSurface = z.object({
  productName: z.string(),
  instructions: z.object({ text: z.string(), tokens: z.int() }),
  tools: z.array(described),
  /** Tokens of the complete tool list as it is sent. */
  toolsTokens: z.int(),
  /** The tools shown to deep-research clients instead of `tools`. */
  deepResearchTools: z.array(described),
  prompts: z.array(described),
  resources: z.array(described.extend({ uriTemplate: z.string() })),
});
export type AgentSurface = z.infer<typeof agentSurface>;

export const agentSurfaceEndpoints = {
  getAgentSurface: endpoint('GET /api/agent-surface', {
    summary: 'Lists the tools, prompts and resources that agents get over MCP, with their size in tokens.',
    access: 'anyone',
    output: agentSurface,
  }),
};
