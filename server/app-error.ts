import { type ErrorCode, sentenceOf } from '#contract/errors.ts';

/** An error with a code from the error table: `message` is shown to people, `detail` goes to the log only. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly detail: unknown;
  /** Seconds after which a retry may help. */
  readonly retryAfterSeconds: number | undefined;
  /** For `method-not-allowed`: the allowed methods. */
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

/**
 * Creates the error for a request body or upload chunk over `limit` bytes; `next` is a sentence that says what to do
 * instead.
 */
export function bodyTooLarge(limit: number, next = 'Send less at once.'): AppError {
  return new AppError('body-too-large', { values: { limit, next } });
}

/** Creates the error for a method that an address does not support; where GET is allowed, so is HEAD. */
export function methodNotAllowed(method: string, methods: string[], takesHead = true): AppError {
  const allow = methods.flatMap((name) => (name === 'GET' && takesHead ? ['GET', 'HEAD'] : [name])).join(', ');
  return new AppError('method-not-allowed', { values: { method, allowed: allow }, allow });
}

/** Creates the error for a rate-limited call. */
export function rateLimited(seconds: number): AppError {
  return new AppError('rate-limited', { values: { seconds }, retryAfterSeconds: seconds });
}

/** Creates the error for a source that cannot be indexed; `reason` is a sentence. */
export function sourceRefused(reason: string): AppError {
  return new AppError('source-refused', { values: { reason } });
}
