import type { Context } from '#server/context.ts';
import { removeModule } from '#server/features/indexing/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { HostingDependencies } from './dependencies.ts';
import { endEvents } from './webhooks.ts';
import { enterWorkspace, requireHosted } from './workspace.ts';

/**
 * Removes a repository and its module: it is found no more from the moment this returns. The webhook at the host goes
 * with the last workspace that has it, over the connection of the person who added it.
 */
export async function removeRepository(
  ctx: Context,
  input: { id: string; teamId?: string | undefined },
  deps: HostingDependencies,
): Promise<{ id: string }> {
  const { workspace, acting } = await enterWorkspace(ctx, input.teamId, 'sources.write');
  const row = await requireHosted(ctx, workspace, input.id);
  await removeModule(acting, { moduleId: row.slug, visibility: 'private' }, deps.notices);
  announceChange(ctx.db, { collection: 'hosting', audience: workspace });
  if (deps.codeHost !== undefined) await endEvents(ctx, row.addedByUserId, row, deps);
  return { id: row.id };
}
