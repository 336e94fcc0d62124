export { looksLikePdf } from './looks-like-pdf.ts';
export { PdfError } from './pdf-error.ts';
export { createPdfParser, type PdfParser } from './pdf-parser.ts';
