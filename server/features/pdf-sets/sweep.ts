import { limits } from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { pdfPrefix, uploadIdOf } from './keys.ts';
import { listFileKeys } from './store.ts';
import { deleteUploadsBefore, listUploadIdsUnderWay } from './upload-store.ts';

/**
 * Forgets uploads that stood still for a day, and deletes blobs of PDF sets that no row refers to. Safe beside uploads
 * and on several processes: a blob is written after its row, and the keys are listed before the rows are read.
 */
export async function sweepPdfFiles(ctx: Context, { blobs }: { blobs: Blobs }): Promise<void> {
  await deleteUploadsBefore(ctx.db.query, ctx.clock.now() - limits.pdfUploadLifetimeHours * 3_600_000);
  const keys = await blobs.list(pdfPrefix);
  if (keys.length === 0) return;
  const underWay = new Set(await listUploadIdsUnderWay(ctx.db.query));
  const files = new Set(await listFileKeys(ctx.db.query));
  for (const key of keys) {
    const uploadId = uploadIdOf(key);
    if (files.has(key) || (uploadId !== undefined && underWay.has(uploadId))) continue;
    await blobs.delete(key);
  }
}
