import { type ErrorCode, sentenceOf } from '#contract/errors.ts';

/** An error with a code of the table: `message` is the sentence for people, `detail` is for the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: unknown;
  /** When trying again may help. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: ErrorCode,
    options: {
      values?: Record<string, string | number>;
      cause?: unknown;
      detail?: unknown;
      retryAfterSeconds?: number;
    } = {},
  ) {
    super(sentenceOf(code, options.values), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** A body, or a part of an upload, of more bytes than it may have; `next` is a sentence that says what would do. */
export function bodyTooLarge(limit: number, next = 'Send less at once.'): AppError {
  return new AppError('body-too-large', { values: { limit, next } });
}
