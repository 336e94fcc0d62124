import type { LibraryModule } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import { dropModule } from './drop-module.ts';
import { findModules, listServedModules, type ModuleRow } from './module-store.ts';
import type { LibraryNotices } from './notices.ts';
import { readableWorkspaces, requireMayChange, seesPathsOf } from './policy.ts';
import { presentModule, visibilityOf } from './present.ts';

/** Modules that serve something to the actor: private ones first, each group by id. */
export async function listModules(ctx: Context): Promise<LibraryModule[]> {
  const rows = await listServedModules(ctx.db.query, readableWorkspaces(ctx));
  const seesPaths = await seesPathsOf(ctx, rows);
  return rows.map((row) => presentModule(row, seesPaths));
}

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
  notices.modulesChanged(module.workspace);
}

/** The module of this id that one reads; the private one when there is a public one too and `visibility` does not say. */
export async function findReadableModule(
  ctx: Context,
  input: { moduleId: string; visibility?: 'public' | 'private' },
): Promise<ModuleRow> {
  const found = await findModules(ctx.db.query, readableWorkspaces(ctx), input.moduleId);
  const wanted = found.filter(
    (row) => (input.visibility ?? visibilityOf(row.workspace)) === visibilityOf(row.workspace),
  );
  const module = wanted.find((row) => row.workspace !== 'public') ?? wanted[0];
  if (module === undefined) throw new AppError('module-not-found', { values: { module: input.moduleId } });
  return module;
}
