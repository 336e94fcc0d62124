import type { Agent, AgentId } from './agents/agent.ts';
import { apps } from './agents/apps.ts';
import { commandLineAgents } from './agents/command-line.ts';
import { editors } from './agents/editors.ts';

export type { Agent, AgentId, ConfigurationFile, Recipe, Template, Transport } from './agents/agent.ts';
export { agentIds, transports } from './agents/agent.ts';

/**
 * Every agent that people connect, as data: where its configuration lies, how it looks, and what the agent can do, by the formats
 * that the agents read today. `setupSnippet` makes text of it for people, `configurationOf` an entry for a file.
 */
export const agents: readonly Agent[] = [...editors, ...commandLineAgents, ...apps];

/** Returns the agent of an id. */
export function agentOf(id: AgentId): Agent {
  const found = agents.find((agent) => agent.id === id);
  if (found === undefined) throw new Error(`no agent is called ${id}`);
  return found;
}
