import type { ErrorCode } from '#contract/errors.ts';

/** `offline`: no response; `unreadable`: the response does not match the contract. */
export type ApiErrorCode = ErrorCode | 'offline' | 'unreadable';

const ownSentences = {
  offline: 'The server is not responding. Check that it is running, then try again.',
  unreadable: 'The server sent an unexpected response. Reload the page; it may be outdated.',
};

/** A failed call. `message` is a sentence for people; branch on `code`. */
export class ApiError extends Error {
  readonly code: ApiErrorCode;
  readonly requestId: string | undefined;
  /** HTTP status of a response without an error envelope. */
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

export function unreadableError(httpStatus?: number, message: string = ownSentences.unreadable): ApiError {
  return new ApiError('unreadable', message, undefined, httpStatus);
}

/** Reads the error envelope of the contract or of team administration; anything else becomes `unreadable`. */
export function errorFromEnvelope(body: unknown, httpStatus?: number): ApiError {
  if (typeof body !== 'object' || body === null || !('error' in body)) return unreadableError(httpStatus);
  const { error } = body;
  const told = typeof error === 'string' ? { ...body, message: error } : (error as object | null);
  const { code, message, requestId } = (told ?? {}) as Record<string, unknown>;
  // Checks only the format: a list of all codes would add every message to every page.
  if (typeof code !== 'string' || !/^[a-z][a-z-]*$/.test(code) || typeof message !== 'string' || message === '') {
    return unreadableError(httpStatus);
  }
  return new ApiError(code as ErrorCode, message, typeof requestId === 'string' ? requestId : undefined, httpStatus);
}

/** Returns the message to show for a thrown error. */
export function sentenceForPeople(error: unknown): string {
  return error instanceof ApiError ? error.message : 'An unknown error occurred';
}

/** Returns true if an action was refused because the user's email address is not verified. */
export function isEmailUnverified(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === 'email-not-verified';
}
