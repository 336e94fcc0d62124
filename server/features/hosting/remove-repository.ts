import type { Context } from '#server/context.ts';
import type { Indexing } from '#server/features/indexing/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { HostingDependencies } from './dependencies.ts';
import { endRevocations } from './revocations.ts';
import { enterWorkspace, requireHosted } from './workspace.ts';

/**
 * Removes a repository and its module: it is found no more from the moment this returns. The webhook at the host goes
 * with the last workspace that has it, over the connection of the person who added it.
 */
export async function removeRepository(
  ctx: Context,
  input: { id: string; teamId?: string | undefined },
  deps: HostingDependencies & Pick<Indexing, 'removeModule'>,
): Promise<{ id: string }> {
  const { workspace, acting } = await enterWorkspace(ctx, input.teamId, 'sources.write');
  const row = await requireHosted(ctx, workspace, input.id);
  await deps.removeModule(acting, { moduleId: row.slug, visibility: 'private' });
  announceChange(ctx.db, { collection: 'hosting', audience: workspace });
  deps.background.run(
    'deleting the webhook of a removed repository',
    async () => void (await endRevocations(ctx, deps)),
  );
  return { id: row.id };
}
