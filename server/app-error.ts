import { type ErrorCode, sentenceOf } from '#contract/errors.ts';

/** An error with a code of the table: `message` is the sentence for people, `detail` is for the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: unknown;
  /** When trying again may help. */
  readonly retryAfterSeconds: number | undefined;
  /** For `method-not-allowed`: the methods that are. */
  readonly allow: string | undefined;

  constructor(
    code: ErrorCode,
    options: {
      values?: Record<string, string | number>;
      cause?: unknown;
      detail?: unknown;
      retryAfterSeconds?: number;
      allow?: string;
    } = {},
  ) {
    super(sentenceOf(code, options.values), { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.detail = options.detail;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.allow = options.allow;
  }
}

/** A body, or a part of an upload, of more bytes than it may have; `next` is a sentence that says what would do. */
export function bodyTooLarge(limit: number, next = 'Send less at once.'): AppError {
  return new AppError('body-too-large', { values: { limit, next } });
}

/** A method that an address does not answer to; where GET is allowed, so is HEAD. */
export function methodNotAllowed(method: string, methods: string[], takesHead = true): AppError {
  const allow = methods.flatMap((name) => (name === 'GET' && takesHead ? ['GET', 'HEAD'] : [name])).join(', ');
  return new AppError('method-not-allowed', { values: { method, allowed: allow }, allow });
}

/** A call that came too soon after others. */
export function rateLimited(seconds: number): AppError {
  return new AppError('rate-limited', { values: { seconds }, retryAfterSeconds: seconds });
}

/** A source that is not indexed, with the reason in a sentence. */
export function sourceRefused(reason: string): AppError {
  return new AppError('source-refused', { values: { reason } });
}
