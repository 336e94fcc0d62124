export type { PdfSets } from './open-pdf-sets.ts';
export { checkPdfFiles, findOrphanPdfFiles, listPdfKeys } from './sweep.ts';
