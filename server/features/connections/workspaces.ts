import type { Context, Workspace } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { listTeams } from '#server/features/teams/index.ts';

export interface ChoosableWorkspace {
  /** 'individual', as the selected workspace is called everywhere, or the id of a team. */
  id: string;
  name: string;
  workspace: Workspace;
}

/** The workspaces that the acting person may let an application into: their own, then the teams they belong to. */
export async function workspacesOf(ctx: Context): Promise<[ChoosableWorkspace, ...ChoosableWorkspace[]]> {
  const userId = requirePerson(ctx);
  const teams = await listTeams(ctx);
  return [
    { id: 'individual', name: 'Individual', workspace: `user:${userId}` },
    ...teams.map(({ teamId, name }) => ({ id: teamId, name, workspace: `team:${teamId}` as const })),
  ];
}
