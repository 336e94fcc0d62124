import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { actingUser, requirePerson } from '#server/features/accounts/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';

/** Workspaces whose modules the actor may read, own first. Visitors read the public ones only. */
export function readableWorkspaces(ctx: Context): Workspace[] {
  return ctx.workspace === null ? ['public'] : [ctx.workspace, 'public'];
}

/**
 * The workspace a new module goes into. The public index and folders of this machine are the operator's. An API key is
 * for agents, who read: it changes nothing, whoever owns it.
 */
export async function workspaceForWriting(
  ctx: Context,
  visibility: 'public' | 'private',
  kind: 'site' | 'folder' | 'git' | 'pdf',
): Promise<Workspace> {
  const userId = requirePerson(ctx);
  const isOperator = ctx.actor.kind === 'operator' || (await isOperatorAccount(ctx));
  if (!isOperator && (visibility === 'public' || kind === 'folder')) throw new AppError('permission-denied');
  if (visibility === 'public') return 'public';
  requireRight(ctx, 'sources.write');
  return ctx.workspace ?? `user:${userId}`;
}

async function isOperatorAccount(ctx: Context): Promise<boolean> {
  return (await actingUser(ctx))?.isOperator === 1;
}
