import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { PdfUpload } from '#contract/pdf-sets.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { ownerForWriting } from '#server/features/catalog/index.ts';
import { deleteGivenUp, giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { cleanFileName, uploadBlobsOf } from './names.ts';
import { presentUpload } from './present.ts';
import type { Owner } from './store.ts';
import {
  countPlaces,
  deleteUpload,
  deleteUploadsOf,
  findUpload,
  insertUpload,
  listUploadWorkspaces,
  type PdfUploadRow,
} from './upload-store.ts';
import { announceSets, holdSet, holdStorage, requireSet } from './workspace.ts';

/**
 * Starts the upload of a file: reserves its place in the set and its space in the storage, so that it can be completed.
 * Throws for an empty file, one over 100 MB, a full set, or a full storage.
 */
export async function startPdfUpload(
  ctx: Context,
  input: { setId: string; fileName: string; sizeBytes: number; lastModified?: number },
): Promise<PdfUpload> {
  const { userId, workspace } = ownerForWriting(ctx);
  const name = cleanFileName(input.fileName);
  await requireSet(ctx, workspace, input.setId);
  if (input.sizeBytes === 0) throw new AppError('pdf-file-empty', { values: { name } });
  if (input.sizeBytes > limits.pdfFileBytesMax) {
    const values = { name, bytes: input.sizeBytes, limit: limits.pdfFileBytesMax };
    throw new AppError('pdf-file-too-large', { values });
  }
  const now = ctx.clock.now();
  const row = await ctx.db.transaction(async (tx) => {
    const { usedBytes: used, quotaBytes: quota } = await holdStorage(tx, ctx, workspace);
    const set = await holdSet(tx, ctx, workspace, input.setId);
    if ((await countPlaces(tx, set.id)) >= limits.pdfFilesPerSetMax) {
      throw new AppError('pdf-set-full', { values: { limit: limits.pdfFilesPerSetMax } });
    }
    if (used + input.sizeBytes > quota) throw new AppError('pdf-storage-full', { values: { used, quota } });
    announceSets(tx, workspace);
    return insertUpload(tx, {
      ...{ id: randomUUID(), setId: set.id, userId, name },
      sizeBytes: input.sizeBytes,
      lastModified: input.lastModified ?? null,
      createdAt: now,
      changedAt: now,
    });
  });
  return presentUpload(row);
}

/** Returns the progress of an upload. */
export async function getPdfUpload(ctx: Context, input: { uploadId: string }): Promise<PdfUpload> {
  return presentUpload(await requireUpload(ctx, input.uploadId));
}

/** Abandons an upload and deletes its parts. */
export async function abandonPdfUpload(
  ctx: Context,
  input: { uploadId: string },
  deps: Pick<PdfSetDependencies, 'blobs'>,
): Promise<void> {
  const { workspace } = ownerForWriting(ctx);
  const upload = await requireUpload(ctx, input.uploadId);
  await discardUpload(ctx, upload, deps);
  await ctx.db.transaction(async (tx) => announceSets(tx, workspace));
}

/**
 * Abandons a user's uploads when they leave a team or become a reader: they reserve space in its storage, and no one
 * else can abandon them.
 */
export async function abandonUploadsOf(
  tx: Transaction,
  { teamId, userId }: { teamId: string; userId: string },
  now: number,
): Promise<void> {
  await abandonIn(tx, `team:${teamId}`, userId, now);
}

/** Abandons the uploads of a disabled account, in all workspaces. */
export async function abandonUploadsOfDisabled(tx: Transaction, userId: string, now: number): Promise<void> {
  for (const workspace of await listUploadWorkspaces(tx, userId)) await abandonIn(tx, workspace, userId, now);
}

async function abandonIn(tx: Transaction, workspace: Owner, userId: string, now: number): Promise<void> {
  const gone = await deleteUploadsOf(tx, workspace, userId);
  if (gone.length === 0) return;
  await giveUpBlobs(tx, gone.flatMap(uploadBlobsOf), now);
  announceSets(tx, workspace);
}

/** Returns the caller's own upload into a set of the current workspace. */
export async function requireUpload(ctx: Context, uploadId: string): Promise<PdfUploadRow> {
  const { userId, workspace } = ownerForWriting(ctx);
  const upload = await findUpload(ctx.db.query, { workspace, userId, uploadId });
  if (upload === undefined) throw new AppError('upload-not-found');
  return upload;
}

/** Deletes an upload that has not become a file, with its parts. */
export async function discardUpload(
  ctx: Context,
  upload: PdfUploadRow,
  { blobs }: Pick<PdfSetDependencies, 'blobs'>,
): Promise<void> {
  const prefixes = uploadBlobsOf(upload);
  const gone = await ctx.db.transaction(async (tx) => {
    const deleted = await deleteUpload(tx, upload.id);
    if (deleted !== undefined) await giveUpBlobs(tx, prefixes, ctx.clock.now());
    return deleted;
  });
  if (gone !== undefined) await deleteGivenUp({ ...ctx, blobs }, prefixes);
}
