export { addPdfPart } from './add-part.ts';
export { createPdfCollector } from './collect-pdf-set.ts';
export { completePdfUpload } from './complete-upload.ts';
export type { PdfSetDependencies } from './dependencies.ts';
export { indexPdfSet } from './index-set.ts';
export { movePdfSets, removePdfFile, removePdfSet, removePersonalPdfSets, removeTeamPdfSets } from './remove.ts';
export { createPdfSet, getPdfSet, listPdfSets, renamePdfSet } from './sets.ts';
export { sweepPdfFiles } from './sweep.ts';
export { abandonPdfUpload, getPdfUpload, startPdfUpload } from './uploads.ts';
