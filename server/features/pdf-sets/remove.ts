import type { PdfSet } from '#contract/pdf-sets.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { findModules, ownerForWriting } from '#server/features/catalog/index.ts';
import { dropModule } from '#server/features/indexing/index.ts';
import { deleteGivenUp, giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { folderOf, moduleIdOf } from './names.ts';
import { audit, presentOne } from './sets.ts';
import { deleteFile, deleteSet, deleteSets, moveSetRows, type Owner } from './store.ts';
import { announceSets, holdSet, mayRemove, requireSet } from './workspace.ts';

/**
 * Removes a set: its pages are no longer found once this returns, its run is cancelled, and its files are deleted;
 * failed deletions are retried by the next sweep.
 */
export async function removePdfSet(ctx: Context, input: { setId: string }, deps: PdfSetDependencies): Promise<void> {
  const { userId, workspace } = ownerForWriting(ctx);
  const seen = await requireSet(ctx, workspace, input.setId);
  if (!mayRemove(ctx, seen, userId)) {
    const need = ' Only the person who added this set, or an admin of the team, can remove it.';
    throw new AppError('permission-denied', { values: { need } });
  }
  const prefix = `${folderOf(seen.id)}/`;
  const cancelled = await ctx.db.transaction(async (tx) => {
    const set = await holdSet(tx, ctx, workspace, input.setId);
    const slug = moduleIdOf(set.slug);
    const [module] = await findModules(tx, [workspace], slug);
    const isOfSet = module?.kind === 'pdf';
    const run = isOfSet ? await dropModule(tx, { workspace, slug, now: ctx.clock.now() }) : undefined;
    await deleteSet(tx, set.id);
    await giveUpBlobs(tx, [prefix], ctx.clock.now());
    await audit(tx, ctx.clock.now(), 'pdf-set.remove', userId, set);
    announceSets(tx, workspace);
    return run;
  });
  if (cancelled !== undefined) deps.notices.cancelRequested(cancelled.id);
  await deleteBlobs(ctx, deps.blobs, prefix);
}

/** Removes a file. Its pages are found until the set is indexed again. */
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
    if (!mayRemove(ctx, held, userId, removed)) {
      const need = ' Only the person who uploaded this file or added its set, or an admin of the team, can remove it.';
      throw new AppError('permission-denied', { values: { need } });
    }
    await giveUpBlobs(tx, [removed.blobKey], ctx.clock.now());
    await audit(tx, ctx.clock.now(), 'pdf-set.remove-file', userId, held, { file: removed.name });
    announceSets(tx, workspace);
    return { set: held, file: removed };
  });
  await deleteBlobs(ctx, deps.blobs, file.blobKey);
  return presentOne(ctx, set, deps);
}

/** Removes the sets of a deleted account, within its transaction; the next sweep deletes their files. */
export async function removePersonalPdfSets(tx: Transaction, userId: string, now: number): Promise<void> {
  await removeSets(tx, `user:${userId}`, now);
}

/** Removes a deleted team's sets in the same way. */
export async function removeTeamPdfSets(tx: Transaction, teamId: string, now: number): Promise<void> {
  await removeSets(tx, `team:${teamId}`, now);
}

async function removeSets(tx: Transaction, workspace: Owner, now: number): Promise<void> {
  const ids = await deleteSets(tx, workspace);
  await giveUpBlobs(
    tx,
    ids.map((id) => `${folderOf(id)}/`),
    now,
  );
}

/** Moves the sets of a workspace to another, like their modules; sets whose names are taken there stay. */
export async function movePdfSets(tx: Transaction, from: Owner, to: Owner): Promise<void> {
  if ((await moveSetRows(tx, from, to)) === 0) return;
  for (const workspace of [from, to]) announceSets(tx, workspace);
}

/** Deletes the blobs. The deleted rows have recorded which: the next sweep retries failures. */
async function deleteBlobs(ctx: Context, blobs: Blobs, prefix: string): Promise<void> {
  try {
    await deleteGivenUp({ ...ctx, blobs }, [prefix]);
  } catch (error) {
    ctx.log.warn({ err: error, prefix }, 'files of a PDF set could not be deleted yet');
  }
}
