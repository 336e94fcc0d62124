import { type ErrorEnvelope, errorTable } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';
import type { Logger } from '#server/platform/log.ts';

/** Turns a fault into status and envelope. What is not an AppError is logged whole and answered as `internal`. */
export function toErrorResponse(error: unknown, requestId: string, log: Logger): Response {
  const known = error instanceof AppError ? error : new AppError('internal', { values: { requestId }, cause: error });
  const status = errorTable[known.code].status;
  if (status >= 500) log.error({ err: error, requestId, detail: known.detail }, 'request failed');
  const body: ErrorEnvelope = { error: { code: known.code, message: known.message, requestId } };
  const headers: Record<string, string> = { 'cache-control': 'no-store', 'x-request-id': requestId };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (known.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds);
  return Response.json(body, { status, headers });
}
