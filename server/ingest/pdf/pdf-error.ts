import { CodedError } from '#server/platform/coded-error.ts';

/** Why a PDF could not be indexed. */
export type PdfErrorCode =
  | 'pdf-empty'
  | 'pdf-not-pdf'
  | 'pdf-encrypted'
  | 'pdf-damaged'
  | 'pdf-no-text'
  | 'pdf-too-large'
  | 'pdf-timeout'
  | 'pdf-memory'
  | 'pdf-failed'
  | 'pdf-stopped';

/** A file that failed alone; the message is a sentence for people that says what would do. */
export class PdfError extends CodedError<PdfErrorCode> {
  override readonly name = 'PdfError';
}

/** Someone else ended the process that read the file, such as the system when memory ran out: this says nothing of the file. */
export class ReaderKilledError extends PdfError {}
