import type { ParsedPdf, ParsePdfOptions } from './parse-pdf.ts';
import type { PdfErrorCode } from './pdf-error.ts';

/** What the process of a file is sent: how many bytes there are, the bytes in pieces, then what to do with them. */
export type ToChild =
  | { kind: 'begin'; byteLength: number }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'parse'; options: ParsePdfOptions };

/** What it answers: that it has started, how far it is, and the end. */
export type FromChild =
  | { kind: 'ready' }
  | { kind: 'page'; page: number; pages: number }
  | { kind: 'parsed'; parsed: ParsedPdf }
  | { kind: 'failed'; code: PdfErrorCode; message: string; detail: string };
