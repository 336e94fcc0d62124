import type { PdfSet } from '#contract/pdf-sets.ts';
import type { Context } from '#server/context.ts';
import { addPdfPart } from '#server/features/pdf-sets/add-part.ts';
import { createPdfCollector } from '#server/features/pdf-sets/collect-pdf-set.ts';
import { completePdfUpload } from '#server/features/pdf-sets/complete-upload.ts';
import type { PdfSetDependencies } from '#server/features/pdf-sets/dependencies.ts';
import { indexPdfSet } from '#server/features/pdf-sets/index-set.ts';
import { createPdfSet } from '#server/features/pdf-sets/sets.ts';
import { startPdfUpload } from '#server/features/pdf-sets/uploads.ts';
import { createPdfParser } from '#server/ingest/pdf/index.ts';
import { openRig, type Rig, type RigOptions } from '../library/rig.ts';
import { makePdf, textLines } from '../services/make-pdf.ts';

/** A library that reads PDF sets, with helpers for tests. */
export interface PdfRig extends Rig {
  pdf: PdfSetDependencies;
  create(displayName?: string, ctx?: Context): Promise<PdfSet>;
  upload(setId: string, fileName: string, bytes: Uint8Array, ctx?: Context): ReturnType<typeof completePdfUpload>;
  /** Queues the set and runs the run. */
  indexSet(setId: string, ctx?: Context): ReturnType<Rig['runNext']>;
}

export async function openPdfRig(options: RigOptions = {}): Promise<PdfRig> {
  const rig = await openRig(options);
  const parser = createPdfParser({ atOnce: 2 });
  rig.deps.collectors = { pdf: createPdfCollector({ parser }) };
  const pdf: PdfSetDependencies = { blobs: rig.blobs, bucketName: 'local', notices: rig.notices };
  return {
    ...rig,
    pdf,
    create: (displayName = 'Manuals', ctx = rig.ctx) => createPdfSet(ctx, { displayName }, pdf),
    async upload(setId, fileName, bytes, ctx = rig.ctx) {
      const { uploadId } = await startPdfUpload(ctx, { setId, fileName, sizeBytes: bytes.byteLength });
      await addPdfPart(ctx, { uploadId, offset: 0 }, inPieces(bytes), pdf);
      return completePdfUpload(ctx, { uploadId }, pdf);
    },
    async indexSet(setId, ctx = rig.ctx) {
      await indexPdfSet(ctx, { setId }, pdf);
      return rig.runNext();
    },
  };
}

/** Yields bytes like a connection, which breaks after `until` bytes if given. */
export async function* inPieces(bytes: Uint8Array, until = bytes.byteLength): AsyncIterable<Uint8Array> {
  for (let at = 0; at < until; at += 1000) yield bytes.subarray(at, Math.min(at + 1000, until));
  if (until < bytes.byteLength) throw new Error('the connection was lost');
}

/** Creates a manual with this many pages about one word. */
export function manualAbout(word: string, pages = 2): Buffer {
  return makePdf({
    title: `The ${word} manual`,
    language: 'en',
    pages: Array.from({ length: pages }, (_, page) =>
      textLines(
        Array.from(
          { length: 30 },
          (_line, line) => `Sentence ${line} of part ${page + 1} tells how the ${word} is set up.`,
        ),
      ),
    ),
  });
}
