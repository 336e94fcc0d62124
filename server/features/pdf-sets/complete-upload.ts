import { createHash } from 'node:crypto';
import type { PdfFile, PdfSet } from '#contract/pdf-sets.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { ownerForWriting } from '#server/features/catalog/index.ts';
import { deleteGivenUp, giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { Turns } from '#server/platform/turns.ts';
import { blobPieces } from './blob-pieces.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { fileKeyOf, freeSlug, partsPrefixOf, slugOf } from './names.ts';
import { presentFile } from './present.ts';
import { audit, presentOne } from './sets.ts';
import { changeSet, findFile, insertFile, listFiles, type PdfFileRow, type PdfSetRow } from './store.ts';
import { claimUpload, isUnfinished, type PdfUploadRow, partsOf } from './upload-store.ts';
import { requireUpload } from './uploads.ts';
import { announceSets, holdSet, requireSet } from './workspace.ts';

/** Concurrent completions of an upload: each needs the file's space again until one is done. */
const atOnceMax = 2;
/** Completions by upload. */
const completing = new Map<string, Turns>();

/** Turns a complete upload into a file. Repeated and concurrent calls return the same file. */
export async function completePdfUpload(
  ctx: Context,
  input: { uploadId: string },
  deps: PdfSetDependencies,
): Promise<{ set: PdfSet; file: PdfFile }> {
  const upload = await requireUpload(ctx, input.uploadId);
  if (upload.arrivedBytes !== upload.sizeBytes) {
    const values = { offset: upload.arrivedBytes, bytes: upload.sizeBytes };
    throw new AppError('upload-incomplete', { values });
  }
  const { set, file } = await amongFew(upload.id, async () => {
    const seen = await requireUpload(ctx, upload.id);
    if (seen.fileId !== null) return madeBefore(ctx, seen);
    try {
      return await makeFile(ctx, seen, deps);
    } catch (error) {
      await deleteUnnamed(ctx, seen, deps);
      throw error;
    }
  });
  return { set: await presentOne(ctx, set, deps), file: presentFile(ctx, set, file) };
}

async function amongFew<T>(uploadId: string, work: () => Promise<T>): Promise<T> {
  const turns = completing.get(uploadId) ?? new Turns(atOnceMax);
  completing.set(uploadId, turns);
  try {
    return await turns.run(work);
  } finally {
    if (turns.isIdle) completing.delete(uploadId);
  }
}

async function makeFile(
  ctx: Context,
  upload: PdfUploadRow,
  { blobs }: PdfSetDependencies,
): Promise<{ set: PdfSetRow; file: PdfFileRow }> {
  const { userId, workspace } = ownerForWriting(ctx);
  const blobKey = fileKeyOf(upload.setId, upload.id);
  const parts = partsOf(upload);
  const partsPrefix = partsPrefixOf(upload.setId, upload.id);
  const hash = createHash('sha256');
  try {
    await putParts(blobs, blobKey, parts, hash);
  } catch (error) {
    // Another request completed it first and has deleted the parts.
    const seen = await requireUpload(ctx, upload.id);
    if (seen.fileId === null) throw error;
    return madeBefore(ctx, seen);
  }
  const now = ctx.clock.now();
  const made = await ctx.db.transaction(async (tx) => {
    const set = await holdSet(tx, ctx, workspace, upload.setId);
    if (!(await claimUpload(tx, upload.id, upload.id, now))) return undefined;
    const taken = new Set((await listFiles(tx, [set.id])).map(({ slug }) => slug));
    const file = await insertFile(tx, {
      ...{ id: upload.id, setId: set.id, name: upload.name, blobKey },
      slug: freeSlug(slugOf(upload.name, 'document'), taken),
      sizeBytes: upload.sizeBytes,
      contentHash: hash.digest('hex'),
      lastModified: upload.lastModified ?? now,
      uploadedAt: now,
      uploadedByUserId: userId,
    });
    const changed = await changeSet(tx, workspace, set.id, { uploadedAt: now });
    await audit(tx, now, 'pdf-set.add-file', userId, set, { file: file.name });
    announceSets(tx, workspace);
    await giveUpBlobs(tx, [partsPrefix], now);
    return { set: changed ?? set, file };
  });
  await deleteGivenUp({ ...ctx, blobs }, [partsPrefix]);
  return made ?? madeBefore(ctx, await requireUpload(ctx, upload.id));
}

/** Deletes the stored file if its set, its upload or the file itself was removed while it was being stored. */
async function deleteUnnamed(ctx: Context, upload: PdfUploadRow, { blobs }: PdfSetDependencies): Promise<void> {
  const key = fileKeyOf(upload.setId, upload.id);
  const isGone = await ctx.db.transaction(async (tx) => {
    if (await isUnfinished(tx, upload.id)) return false;
    if ((await findFile(tx, upload.setId, upload.id)) !== undefined) return false;
    await giveUpBlobs(tx, [key], ctx.clock.now());
    return true;
  });
  if (isGone) await deleteGivenUp({ ...ctx, blobs }, [key]);
}

async function putParts(
  blobs: Blobs,
  key: string,
  parts: readonly string[],
  hash: ReturnType<typeof createHash>,
): Promise<void> {
  async function* pieces() {
    for (const part of parts) {
      for await (const piece of blobPieces(blobs, part)) {
        hash.update(piece);
        yield piece;
      }
    }
  }
  await blobs.put(key, pieces());
}

async function madeBefore(ctx: Context, upload: PdfUploadRow): Promise<{ set: PdfSetRow; file: PdfFileRow }> {
  const { workspace } = ownerForWriting(ctx);
  const set = await requireSet(ctx, workspace, upload.setId);
  const file = upload.fileId === null ? undefined : await findFile(ctx.db.query, set.id, upload.fileId);
  if (file === undefined) throw new AppError('pdf-file-not-found');
  return { set, file };
}
