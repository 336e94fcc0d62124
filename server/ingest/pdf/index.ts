export { looksLikePdf } from './looks-like-pdf.ts';
export type { ParsedPdf } from './parse-pdf.ts';
export { PdfError, type PdfErrorCode } from './pdf-error.ts';
export { createPdfParser, type PdfParser } from './pdf-parser.ts';
