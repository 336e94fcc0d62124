import type { PdfSet } from '#contract/pdf-sets.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { dropModule, ownerForWriting } from '#server/features/library/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { folderOf } from './keys.ts';
import { moduleIdOf } from './names.ts';
import { audit, presentOne } from './sets.ts';
import { deleteFile, deleteSet, deleteSets, moveSetRows, type Owner } from './store.ts';
import { announceSets, holdSet, mayRemove, requireSet } from './workspace.ts';

/**
 * Removes a set: its pages are no longer found from the moment this returns, a run of it is cancelled, and its files are
 * deleted; what cannot be deleted at once goes with the next sweep.
 */
export async function removePdfSet(ctx: Context, input: { setId: string }, deps: PdfSetDependencies): Promise<void> {
  const { userId, workspace } = ownerForWriting(ctx);
  const seen = await requireSet(ctx, workspace, input.setId);
  if (!mayRemove(ctx, seen, userId)) throw new AppError('permission-denied');
  const cancelled = await ctx.db.transaction(async (tx) => {
    const set = await holdSet(tx, ctx, workspace, input.setId);
    const run = await dropModule(tx, { workspace, slug: moduleIdOf(set.slug), now: ctx.clock.now() });
    await deleteSet(tx, set.id);
    await audit(tx, ctx.clock.now(), 'pdf-set.remove', userId, set);
    announceSets(tx, workspace);
    return run;
  });
  if (cancelled !== undefined) deps.notices.cancelRequested(cancelled.id);
  deps.notices.modulesChanged(workspace);
  await deleteBlobs(ctx, deps.blobs, `${folderOf(input.setId)}/`);
}

/** Removes one file. Its pages are found until the set is indexed again. */
export async function removePdfFile(
  ctx: Context,
  input: { setId: string; fileId: string },
  deps: PdfSetDependencies,
): Promise<PdfSet> {
  const { userId, workspace } = ownerForWriting(ctx);
  await requireSet(ctx, workspace, input.setId);
  const { set, file } = await ctx.db.transaction(async (tx) => {
    const held = await holdSet(tx, ctx, workspace, input.setId);
    const removed = await deleteFile(tx, held.id, input.fileId);
    if (removed === undefined) throw new AppError('pdf-file-not-found');
    await audit(tx, ctx.clock.now(), 'pdf-set.remove-file', userId, held, { file: removed.name });
    announceSets(tx, workspace);
    return { set: held, file: removed };
  });
  await deleteBlobs(ctx, deps.blobs, file.blobKey);
  return presentOne(ctx, set, deps);
}

/** Sets of a deleted account, in the transaction that deletes it; their files go with the next sweep. */
export async function removePersonalPdfSets(tx: Transaction, userId: string): Promise<void> {
  await deleteSets(tx, `user:${userId}`);
}

/** The same for a team that is deleted. */
export async function removeTeamPdfSets(tx: Transaction, teamId: string): Promise<void> {
  await deleteSets(tx, `team:${teamId}`);
}

/** Gives the sets of a workspace to another, beside their modules; those whose names are taken there stay. */
export async function movePdfSets(tx: Transaction, from: Owner, to: Owner): Promise<void> {
  if ((await moveSetRows(tx, from, to)) === 0) return;
  for (const workspace of [from, to]) announceSets(tx, workspace);
}

/** The rows are gone already: what stays behind is nobody's, and the sweep finds it. */
async function deleteBlobs(ctx: Context, blobs: Blobs, prefix: string): Promise<void> {
  try {
    for (const key of await blobs.list(prefix)) await blobs.delete(key);
  } catch (error) {
    ctx.log.warn({ err: error, prefix }, 'files of a PDF set could not be deleted yet');
  }
}
