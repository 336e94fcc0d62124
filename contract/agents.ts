import type { Agent, AgentId } from './agents/agent.ts';
import { apps } from './agents/apps.ts';
import { commandLineAgents } from './agents/command-line.ts';
import { editors } from './agents/editors.ts';

export type { Agent, AgentId, ConfigurationFile, Recipe, Template, Transport } from './agents/agent.ts';
export { agentIds, transports } from './agents/agent.ts';

/**
 * All supported agents as data: where their configuration is, its format, and what they can do, following the formats
 * that agents read today. `setupSnippet` turns it into text for people, `configurationOf` into an entry for a file.
 */
export const agents: readonly Agent[] = [...editors, ...commandLineAgents, ...apps];

/** Returns the agent with this id. */
export function agentOf(id: AgentId): Agent {
  const found = agents.find((agent) => agent.id === id);
  if (found === undefined) throw new Error(`no agent is called ${id}`);
  return found;
}
