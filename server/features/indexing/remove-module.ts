import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import { findReadableModule, type ModuleRow, requireMayChange } from '#server/features/catalog/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Hook } from '../feature.ts';
import { dropModule } from './drop-module.ts';
import type { LibraryNotices } from './notices.ts';

/** Runs in the transaction that removes a module, before its rows are deleted. */
export type ModuleRemoved = Hook<[tx: Transaction, module: ModuleRow, now: number]>;

/**
 * Removes a module: searches no longer find it once this returns, and the next sweep deletes its files. An active run
 * is cancelled. If private and public modules share the id, the private one is removed unless `visibility` says
 * otherwise.
 */
export async function removeModule(
  ctx: Context,
  input: { moduleId: string; visibility?: 'public' | 'private'; teamId?: string },
  notices: LibraryNotices,
  removed?: ModuleRemoved,
): Promise<void> {
  const userId = requireUserId(ctx);
  const acting = await actIn(ctx, input.teamId);
  const module = await findReadableModule(acting, input);
  await requireMayChange(acting, module.workspace);
  const now = ctx.clock.now();
  const cancelled = await ctx.db.transaction(async (tx) => {
    if (module.workspace !== 'public') await confirmRight(tx, acting, 'sources.write');
    await removed?.(tx, module, now);
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
