import type { ErrorCode } from '#contract/errors.ts';

/** `offline`: no answer came; `unreadable`: an answer came that the contract does not know. */
export type ApiErrorCode = ErrorCode | 'offline' | 'unreadable';

const ownSentences = {
  offline: 'The server is not responding. Check that it is running, then try again.',
  unreadable: 'The server answered in a way this page does not understand. Reload the page; it may be outdated.',
};

/** A call that did not succeed. `message` is a sentence for people; branch on `code`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly requestId: string | undefined;
  /** HTTP status of an answer that says nothing by itself. */
  readonly httpStatus: number | undefined;

  constructor(code: ApiErrorCode, message: string, requestId?: string, httpStatus?: number) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.requestId = requestId;
    this.httpStatus = httpStatus;
  }
}

export function offlineError(): ApiError {
  return new ApiError('offline', ownSentences.offline);
}

export function unreadableError(httpStatus?: number): ApiError {
  return new ApiError('unreadable', ownSentences.unreadable, undefined, httpStatus);
}

/** Reads the contract's error envelope, or that of team administration; anything else becomes `unreadable`. */
export function errorFromEnvelope(body: unknown, httpStatus?: number): ApiError {
  if (typeof body !== 'object' || body === null || !('error' in body)) return unreadableError(httpStatus);
  const { error } = body;
  const told = typeof error === 'string' ? { ...body, message: error } : (error as object | null);
  const { code, message, requestId } = (told ?? {}) as Record<string, unknown>;
  // By its form alone: the sentences of all codes would come with every page.
  if (typeof code !== 'string' || !/^[a-z][a-z-]*$/.test(code) || typeof message !== 'string' || message === '') {
    return unreadableError(httpStatus);
  }
  return new ApiError(code as ErrorCode, message, typeof requestId === 'string' ? requestId : undefined, httpStatus);
}

/** Returns the sentence to show for an error that a call threw. */
export function sentenceForPeople(error: unknown): string {
  return error instanceof ApiError ? error.message : 'An unknown error occurred';
}

/** Returns true if something was refused because the person's e-mail address is not verified yet. */
export function isEmailUnverified(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'email-not-verified';
}
