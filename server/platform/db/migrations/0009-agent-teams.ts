import type { Migration } from './migration.ts';

/** What an agent was sent in a team is remembered apart from what it was sent for its person, and goes with the team. */
export const agentTeams: Migration = {
  name: '0009-agent-teams',
  statements: [
    `alter table agent_sessions add column team_id text`,
    `create index agent_sessions_by_team on agent_sessions (team_id) where team_id is not null`,
  ],
};
