import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { type ErrorCode, errorTable, sentenceOf } from '#contract/errors.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { asKnownFault } from '#server/features/known-fault.ts';

const notFound: readonly ErrorCode[] = ['not-found', 'module-not-found', 'module-unknown', 'page-not-indexed'];

/** Converts any thrown value to a protocol error; details that callers must not see go only to the log. */
export function toProtocolError(ctx: Context, thrown: unknown): ProtocolError {
  const error = asKnownFault(thrown);
  if (error instanceof ProtocolError) return error;
  if (error instanceof AppError) {
    if (errorTable[error.code].status < 500) return new ProtocolError(ProtocolErrorCode.InvalidParams, error.message);
    ctx.log.error({ err: error, requestId: ctx.requestId }, 'a call failed');
    return new ProtocolError(ProtocolErrorCode.InternalError, error.message);
  }
  ctx.log.error({ err: error, requestId: ctx.requestId }, 'a call failed');
  return new ProtocolError(ProtocolErrorCode.InternalError, sentenceOf('internal', { requestId: ctx.requestId }));
}

export function isNotFound(error: unknown): error is AppError {
  return error instanceof AppError && notFound.includes(error.code);
}

/** Returns the status and retry time of a response that is not a protocol message. */
export function toldStatus({ code, retryAfterSeconds }: AppError): ResponseInit {
  const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
  return { status: errorTable[code].status, headers };
}
