import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import { findReadableModule, requireMayChange } from '#server/features/catalog/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import { dropModule } from './drop-module.ts';
import type { LibraryNotices } from './notices.ts';

/**
 * Removes a module: it is no longer found from the moment this returns, and its files go with the next sweep. A run
 * in progress is cancelled. With the same id private and public, the private one is meant unless `visibility` says other.
 */
export async function removeModule(
  ctx: Context,
  input: { moduleId: string; visibility?: 'public' | 'private'; teamId?: string },
  notices: LibraryNotices,
): Promise<void> {
  const userId = requireUserId(ctx);
  const acting = await actIn(ctx, input.teamId);
  const module = await findReadableModule(acting, input);
  await requireMayChange(acting, module.workspace);
  const now = ctx.clock.now();
  const cancelled = await ctx.db.transaction(async (tx) => {
    if (module.workspace !== 'public') await confirmRight(tx, acting, 'sources.write');
    const running = await dropModule(tx, { workspace: module.workspace, slug: module.slug, now });
    await recordAudit(tx, now, {
      actorUserId: userId,
      action: 'module.remove',
      entityId: module.id,
      detail: { moduleId: module.slug },
      ...auditTeamOf(module.workspace),
    });
    return running;
  });
  if (cancelled !== undefined) notices.cancelRequested(cancelled.id);
}
