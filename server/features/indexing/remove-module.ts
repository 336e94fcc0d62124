import type { Context } from '#server/context.ts';
import { requireUserId } from '#server/features/accounts/index.ts';
import {
  deleteModule,
  findModules,
  findReadableModule,
  findRunningJob,
  listWorkspaceModules,
  type ModuleRow,
  markModuleSegmentsDropped,
  requireMayChange,
} from '#server/features/catalog/index.ts';
import { deleteCredentials } from '#server/features/source-credentials/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import type { Hook } from '../feature.ts';
import { deleteJobs, type JobRow, requestCancel } from './job-store.ts';
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

/**
 * Drops a module in the transaction of the caller, who has checked the right to do so; the next sweep deletes its
 * files. Returns its active run, which was asked to stop: after the commit, call `notices.cancelRequested(run.id)`.
 */
export async function dropModule(
  tx: Transaction,
  { workspace, slug, now }: { workspace: Workspace; slug: string; now: number },
): Promise<JobRow | undefined> {
  const [module] = await findModules(tx, [workspace], slug);
  if (module === undefined) return undefined;
  const running = await findRunningJob(tx, module.id);
  if (running !== undefined) await requestCancel(tx, running.id, now);
  // In this order, a version being published is either marked here or finds no module.
  await deleteModule(tx, module.id);
  await markModuleSegmentsDropped(tx, module.id, now);
  // The runs change too: their module is now a removed one.
  for (const collection of ['modules', 'jobRuns'] as const) announceChange(tx, { collection, audience: workspace });
  return running;
}

/**
 * Removes a user's private modules and runs, for a deleted account. An active run loses its row and thereby its lease,
 * so it stops; the next sweep deletes the files.
 */
export async function removePersonalLibrary(tx: Transaction, userId: string, now: number): Promise<void> {
  await removeLibrary(tx, `user:${userId}`, now);
}

/** Removes a deleted team's modules and runs in the same way. */
export async function removeTeamLibrary(tx: Transaction, teamId: string, now: number): Promise<void> {
  await removeLibrary(tx, `team:${teamId}`, now);
}

async function removeLibrary(tx: Transaction, workspace: Exclude<Workspace, 'public'>, now: number): Promise<void> {
  await deleteJobs(tx, workspace, now);
  for (const { id } of await listWorkspaceModules(tx, workspace)) {
    await deleteModule(tx, id);
    await markModuleSegmentsDropped(tx, id, now);
  }
  await deleteCredentials(tx, workspace);
  announceChange(tx, { collection: 'modules', audience: workspace });
}
