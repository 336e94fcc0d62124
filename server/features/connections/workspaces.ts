import type { Context, Workspace } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';

export interface ChoosableWorkspace {
  /** 'individual', as the selected workspace is called everywhere. */
  id: string;
  name: string;
  workspace: Workspace;
}

/** The workspaces that the acting person may let an application into. */
export async function workspacesOf(ctx: Context): Promise<[ChoosableWorkspace, ...ChoosableWorkspace[]]> {
  return [{ id: 'individual', name: 'Individual', workspace: `user:${requirePerson(ctx)}` }];
}
