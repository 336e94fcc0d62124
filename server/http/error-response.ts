import { type ErrorEnvelope, errorTable } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';
import { asKnownFault, messageWithCauses } from '#server/features/known-fault.ts';
import { currentRequest } from '#server/http/request-record.ts';
import type { Logger } from '#server/platform/log.ts';

/**
 * Converts an error to a status and envelope. An unexpected error is logged in full and returned as `internal`; for an
 * outage, which every request meets while it lasts, only the messages are logged.
 */
export function toErrorResponse(thrown: unknown, requestId: string, log: Logger): Response {
  const error = asKnownFault(thrown);
  const known = error instanceof AppError ? error : new AppError('internal', { values: { requestId }, cause: error });
  const status = errorTable[known.code].status;
  if (status >= 500) {
    const fault = status === 503 ? { code: known.code, why: messageWithCauses(error) } : { err: error };
    log.error({ ...fault, requestId, detail: known.detail }, 'request failed');
  }
  const record = currentRequest();
  if (record !== undefined) record.code = known.code;
  const docs = `/docs/errors/${known.code}`;
  const body: ErrorEnvelope = { error: { code: known.code, message: known.message, requestId, docs } };
  const headers: Record<string, string> = {
    'cache-control': 'no-store',
    'x-request-id': requestId,
    link: `<${docs}>; rel="help"`,
  };
  if (status === 401) headers['www-authenticate'] = 'Bearer';
  if (known.retryAfterSeconds !== undefined) headers['retry-after'] = String(known.retryAfterSeconds);
  if (known.allow !== undefined) headers['allow'] = known.allow;
  return Response.json(body, { status, headers });
}

/**
 * Returns true if the caller disconnected while its body was read: no one waits for a response, and nothing is at
 * fault.
 */
export function isOfGoneCaller(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}

/** Paths of team administration, which have the same origin check and body limit as `/api`. */
export const adminPaths = '/admin/*';

/** Sends an error at a path of team administration as `{success: false, error, code}`. */
export async function inAdminEnvelope(path: string, response: Response): Promise<Response> {
  if (!path.startsWith('/admin/')) return response;
  const { error } = (await response.json()) as ErrorEnvelope;
  const body = { success: false, error: error.message, code: error.code, requestId: error.requestId };
  return new Response(JSON.stringify(body), { status: response.status, headers: response.headers });
}
