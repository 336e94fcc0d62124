import { randomUUID } from 'node:crypto';
import * as limits from '#contract/limits.ts';
import type { PdfUpload } from '#contract/pdf-sets.ts';
import { AppError, bodyTooLarge } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { looksLikePdf } from '#server/ingest/pdf/index.ts';
import type { PdfSetDependencies } from './dependencies.ts';
import { partsPrefixOf } from './names.ts';
import { presentUpload } from './present.ts';
import { appendPart, type PdfUploadRow, partsOf } from './upload-store.ts';
import { discardUpload, requireUpload } from './uploads.ts';

/** Bytes in which PDF readers look for the PDF signature. */
const markBytes = 1024;
/** Concurrent parts per upload: a part with a lost connection may not have ended when it is sent again. */
const arrivingMax = 2;
/** Parts being received per upload, oldest first. */
const arriving = new Map<string, AbortController[]>();

/**
 * Appends bytes at an upload's current offset. They are streamed to the store and kept only if all arrive; a part whose
 * connection is lost is discarded. Throws for a different offset, for more bytes than announced, for too many parts,
 * and for a first part without a PDF signature, which ends the upload. Concurrent parts would exceed the upload's
 * reserved space: a third one aborts the oldest.
 */
export async function addPdfPart(
  ctx: Context,
  input: { uploadId: string; offset: number },
  body: AsyncIterable<Uint8Array>,
  deps: Pick<PdfSetDependencies, 'blobs'>,
): Promise<PdfUpload> {
  const upload = await requireUpload(ctx, input.uploadId);
  if (upload.fileId !== null || input.offset !== upload.arrivedBytes) throw outOfStep(upload);
  const partsMax = limits.pdfSmallPartsMax + Math.floor(upload.sizeBytes / limits.pdfBytesPerPartMin);
  if (partsOf(upload).length >= partsMax) {
    const reason = `this upload has at most ${partsMax} parts; cancel it and send larger parts`;
    throw new AppError('invalid-input', { values: { reason } });
  }
  const key = `${partsPrefixOf(upload.setId, upload.id)}${input.offset}-${randomUUID()}`;
  let bytes: number;
  try {
    bytes = await amongFew(upload, (signal) => deps.blobs.put(key, checked(endable(body, signal), upload)));
  } catch (error) {
    if (error instanceof AppError && error.code === 'pdf-file-refused') await discardUpload(ctx, upload, deps);
    throw error;
  }
  const changed = bytes === 0 ? upload : await appendPart(ctx.db.query, upload, { key, bytes, now: ctx.clock.now() });
  if (changed === undefined || bytes === 0) await deps.blobs.delete(key);
  if (changed === undefined) throw outOfStep(await requireUpload(ctx, input.uploadId));
  return presentUpload(changed);
}

async function amongFew<T>(upload: PdfUploadRow, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const own = new AbortController();
  const others = arriving.get(upload.id) ?? [];
  arriving.set(upload.id, [...others, own]);
  for (const one of others.slice(0, -(arrivingMax - 1))) one.abort(outOfStep(upload));
  try {
    return await work(own.signal);
  } finally {
    const left = (arriving.get(upload.id) ?? []).filter((one) => one !== own);
    if (left.length === 0) arriving.delete(upload.id);
    else arriving.set(upload.id, left);
  }
}

/** Returns the bytes until the signal, which also interrupts waiting for more. */
function endable(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncIterable<Uint8Array> {
  return ReadableStream.from(body).pipeThrough(new TransformStream<Uint8Array, Uint8Array>(), { signal });
}

async function* checked(body: AsyncIterable<Uint8Array>, upload: PdfUploadRow): AsyncIterable<Uint8Array> {
  const room = upload.sizeBytes - upload.arrivedBytes;
  let arrived = 0;
  let start: Uint8Array | undefined = upload.arrivedBytes === 0 ? new Uint8Array() : undefined;
  for await (const piece of body) {
    arrived += piece.byteLength;
    if (arrived > limits.pdfPartBytesMax) {
      throw bodyTooLarge(limits.pdfPartBytesMax);
    }
    if (arrived > room) {
      const values = { offset: upload.arrivedBytes + arrived, bytes: upload.sizeBytes };
      throw new AppError('upload-incomplete', { values });
    }
    if (start !== undefined) {
      start = Buffer.concat([start, piece.subarray(0, markBytes - start.byteLength)]);
      if (start.byteLength >= markBytes) start = refuseOther(start, upload);
    }
    yield piece;
  }
  if (start !== undefined && arrived > 0) refuseOther(start, upload);
}

function refuseOther(start: Uint8Array, { name }: PdfUploadRow): undefined {
  if (!looksLikePdf(start)) throw new AppError('pdf-file-refused', { values: { name } });
}

function outOfStep(upload: PdfUploadRow): AppError {
  return new AppError('upload-out-of-step', { values: { offset: String(upload.arrivedBytes) } });
}
