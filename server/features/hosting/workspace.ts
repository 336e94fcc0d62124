import type { HostedRepository } from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { actIn, requireRight } from '#server/features/teams/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { presentHosted } from './present.ts';
import { findHosted, type HostedRow, listNames } from './repository-store.ts';

/** Whose repositories a call is about: the team that its input names, or where the person acts. */
export interface Acting {
  userId: string;
  workspace: Exclude<Workspace, 'public'>;
  acting: Context;
}

/** Refuses who may not read, or not change, what is indexed there. */
export async function enterWorkspace(
  ctx: Context,
  teamId: string | undefined,
  right: 'sources.read' | 'sources.write',
): Promise<Acting> {
  const userId = requirePerson(ctx);
  const acting = await actIn(ctx, teamId);
  requireRight(acting, right);
  return { userId, workspace: acting.workspace ?? `user:${userId}`, acting };
}

/** One repository of the workspace; another workspace's looks like one that does not exist. */
export async function requireHosted(ctx: Context, workspace: Workspace, id: string): Promise<HostedRow> {
  const row = await findHosted(ctx.db.query, workspace, id);
  if (row === undefined) throw new AppError('hosted-repository-not-found');
  return row;
}

/** The same as it is answered, read again. */
export async function answerHosted(ctx: Context, { userId, workspace }: Acting, id: string): Promise<HostedRepository> {
  const row = await requireHosted(ctx, workspace, id);
  const names = await listNames(ctx.db.query, [row.addedByUserId]);
  return presentHosted(row, { viewerId: userId, names });
}
