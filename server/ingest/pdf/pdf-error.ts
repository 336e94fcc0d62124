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

/** A failure of one file; the message is a sentence for people with the next step. */
export class PdfError extends CodedError<PdfErrorCode> {
  override readonly name = 'PdfError';
}

/**
 * The reading process was killed from outside, for example by the system when memory ran out, which need not be the
 * file's fault.
 */
export class ReaderKilledError extends PdfError {}
