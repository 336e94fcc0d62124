import { pdfSetEndpoints } from '#contract/pdf-sets.ts';
import {
  abandonPdfUpload,
  completePdfUpload,
  createPdfSet,
  getPdfSet,
  getPdfUpload,
  indexPdfSet,
  listPdfSets,
  type PdfSetDependencies,
  removePdfFile,
  removePdfSet,
  renamePdfSet,
  startPdfUpload,
} from '#server/features/pdf-sets/index.ts';
import { type Call, call } from './call-table.ts';

export type PdfSetCallDependencies = PdfSetDependencies;

/** PDF sets, their files and uploads; the parts of uploads come another way. */
export function pdfSetCalls(deps: PdfSetCallDependencies): Call[] {
  return [
    call(pdfSetEndpoints.listPdfSets, (ctx) => listPdfSets(ctx, deps)),
    call(pdfSetEndpoints.createPdfSet, async (ctx, input) => ({ set: await createPdfSet(ctx, input, deps) })),
    call(pdfSetEndpoints.getPdfSet, (ctx, input) => getPdfSet(ctx, input, deps)),
    call(pdfSetEndpoints.renamePdfSet, async (ctx, input) => ({ set: await renamePdfSet(ctx, input, deps) })),
    call(pdfSetEndpoints.removePdfSet, async (ctx, input) => {
      await removePdfSet(ctx, input, deps);
      return { setId: input.setId };
    }),
    call(pdfSetEndpoints.indexPdfSet, async (ctx, input) => ({ set: await indexPdfSet(ctx, input, deps) })),
    call(pdfSetEndpoints.removePdfFile, async (ctx, input) => ({ set: await removePdfFile(ctx, input, deps) })),
    call(pdfSetEndpoints.startPdfUpload, async (ctx, input) => ({ upload: await startPdfUpload(ctx, input) })),
    call(pdfSetEndpoints.getPdfUpload, async (ctx, input) => ({ upload: await getPdfUpload(ctx, input) })),
    call(pdfSetEndpoints.completePdfUpload, (ctx, input) => completePdfUpload(ctx, input, deps)),
    call(pdfSetEndpoints.abandonPdfUpload, async (ctx, input) => {
      await abandonPdfUpload(ctx, input, deps);
      return { uploadId: input.uploadId };
    }),
  ];
}
