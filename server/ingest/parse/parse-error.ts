import { CodedError } from '#server/platform/coded-error.ts';

/**
 * Why a page could not be parsed. `parse-busy`: the pool's queue is full; await `whenRoom` first. `parse-closed`: the
 * pool was closed before the page was done.
 */
export type ParseErrorCode =
  | 'parse-timeout'
  | 'parse-memory'
  | 'parse-failed'
  | 'unsupported-type'
  | 'parse-busy'
  | 'parse-closed';

/** A failure of one page; the message is a sentence for people. */
export class ParseError extends CodedError<ParseErrorCode> {
  override readonly name = 'ParseError';
}
