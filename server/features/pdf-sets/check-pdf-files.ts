import type { Context } from '#server/context.ts';
import type { LibraryFault } from '#server/features/indexing/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { pdfPrefix, uploadIdOf } from './keys.ts';
import { listFileKeys } from './store.ts';
import { listUploadIdsUnderWay } from './upload-store.ts';

/**
 * Compares the rows of uploaded files with the blob store: each file is there, and each blob belongs to a file or to an
 * upload in progress. Changes nothing; safe beside uploads, as a blob is written after its row.
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
