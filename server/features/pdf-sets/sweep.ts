import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { LibraryFault } from '#server/features/indexing/index.ts';
import { deleteGivenUp, giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { pdfPrefix, uploadBlobsOf, uploadIdOf } from './names.ts';
import { listFileKeys } from './store.ts';
import { deleteUploadsBefore, listUploadIdsUnderWay } from './upload-store.ts';

/**
 * Deletes uploads that were idle for a day, with their parts, and blobs recorded for deletion with removed rows. Safe
 * during uploads and in several processes.
 */
export async function sweepPdfFiles(ctx: Context, { blobs }: { blobs: Blobs }): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction(async (tx) => {
    const stalled = await deleteUploadsBefore(tx, now - limits.pdfUploadLifetimeHours * 3_600_000);
    const unfinished = stalled.filter(({ fileId }) => fileId === null);
    await giveUpBlobs(tx, unfinished.flatMap(uploadBlobsOf), now);
  });
  await deleteGivenUp({ ...ctx, blobs });
}

/** Returns the keys of PDF set blobs that no row refers to. */
export async function findOrphanPdfFiles(ctx: Context, blobs: Blobs): Promise<string[]> {
  const isOrphan = ({ kind }: LibraryFault) => kind === 'orphan';
  return (await checkPdfFiles(ctx, blobs)).filter(isOrphan).map(({ what }) => what);
}

/** Returns the keys of all blobs that the rows of uploaded files refer to. */
export async function listPdfKeys(ctx: Pick<Context, 'db'>): Promise<string[]> {
  return listFileKeys(ctx.db.query);
}

/**
 * Compares the rows of uploaded files with the blob store: each file must exist, and each blob must belong to a file or
 * an active upload. Read-only; safe during uploads, since a blob is written after its row.
 */
export async function checkPdfFiles(ctx: Context, blobs: Blobs): Promise<LibraryFault[]> {
  const keys = await blobs.list(pdfPrefix);
  const underWay = new Set(await listUploadIdsUnderWay(ctx.db.query));
  const files = new Set(await listFileKeys(ctx.db.query));
  const faults: LibraryFault[] = [];
  for (const key of files) {
    if (await blobs.exists(key)) continue;
    faults.push({ kind: 'lost', what: key, detail: 'is an uploaded file that is not there; upload it again' });
  }
  for (const key of keys) {
    const uploadId = uploadIdOf(key);
    if (files.has(key) || (uploadId !== undefined && underWay.has(uploadId))) continue;
    faults.push({ kind: 'orphan', what: key, detail: 'belongs to no upload; see "lectern store sweep"' });
  }
  return faults;
}
