import type { ParsedPdf, ParsePdfOptions } from './parse-pdf.ts';
import type { PdfErrorCode } from './pdf-error.ts';

/** Messages to a file's process: the number of bytes, the bytes in pieces, then the parse options. */
export type ToChild =
  | { kind: 'begin'; byteLength: number }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'parse'; options: ParsePdfOptions };

/** Messages from the process: start, progress and result. */
export type FromChild =
  | { kind: 'ready' }
  | { kind: 'page'; page: number; pages: number }
  | { kind: 'parsed'; parsed: ParsedPdf }
  | { kind: 'failed'; code: PdfErrorCode; message: string; detail: string };
