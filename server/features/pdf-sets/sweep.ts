import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { LibraryFault } from '#server/features/indexing/index.ts';
import { deleteGivenUp, giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { checkPdfFiles } from './check-pdf-files.ts';
import { partsPrefixOf } from './keys.ts';
import { listFileKeys } from './store.ts';
import { deleteUploadsBefore } from './upload-store.ts';

/**
 * Forgets uploads that stood still for a day, with their parts, and deletes what was given up with rows that were removed. Safe
 * beside uploads and in several processes.
 */
export async function sweepPdfFiles(ctx: Context, { blobs }: { blobs: Blobs }): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const stalled = await deleteUploadsBefore(tx, now - limits.pdfUploadLifetimeHours * 3_600_000);
    const unfinished = stalled.filter(({ fileId }) => fileId === null);
    await giveUpBlobs(
      tx,
      unfinished.map(({ setId, id }) => partsPrefixOf(setId, id)),
      now,
    );
  });
  await deleteGivenUp({ ...ctx, blobs });
}

/** Keys of blobs of PDF sets that no row refers to. */
export async function findOrphanPdfFiles(ctx: Context, blobs: Blobs): Promise<string[]> {
  const isOrphan = ({ kind }: LibraryFault) => kind === 'orphan';
  return (await checkPdfFiles(ctx, blobs)).filter(isOrphan).map(({ what }) => what);
}

/** Keys of all blobs that the rows of uploaded files name. */
export async function listPdfKeys(ctx: Pick<Context, 'db'>): Promise<string[]> {
  return listFileKeys(ctx.db.query);
}
