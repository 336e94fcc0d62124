import type { z } from 'zod';
import {
  type Callable,
  type CallableErrorEnvelope,
  type CallableStatus,
  callableStatusOf,
} from '#contract/callables.ts';
import * as limits from '#contract/limits.ts';
import { ApiError, errorFromEnvelope, offlineError, unreadableError } from '../../web/lib/api-error.ts';

/** A failed callable: `status` is the callable protocol's name for it, `code` the error in our error table. */
export class CallableError extends ApiError {
  readonly status: CallableStatus;

  constructor(status: CallableStatus, error: ApiError) {
    super(error.code, error.message, error.requestId);
    this.name = 'CallableError';
    this.status = status;
  }
}

export interface CallableOptions {
  /** Sent as a bearer token; otherwise the session cookie identifies the caller. */
  token?: string;
  /** The installation's origin, if it differs from the page's. */
  origin?: string;
  signal?: AbortSignal;
}

/**
 * Calls a function by name and validates the response with its schema. Times out after 70 seconds. Throws
 * `CallableError`, or `ApiError` without a response; a call ended by `signal` throws that signal's reason.
 */
export async function callCallable<Input extends z.ZodType, Output extends z.ZodType>(
  definition: Callable<Input, Output>,
  data: z.input<Input>,
  options: CallableOptions = {},
): Promise<z.output<Output>> {
  const answer = await send(definition.name, data, options);
  const content: unknown = await answer.json().catch(() => undefined);
  options.signal?.throwIfAborted();
  if (!answer.ok) throw errorOf(answer.status, content);
  const result = typeof content === 'object' && content !== null && 'result' in content ? content.result : undefined;
  const parsed = definition.output.safeParse(result);
  if (!parsed.success) throw unreadableError();
  return parsed.data;
}

async function send(name: string, data: unknown, { token, origin = '', signal }: CallableOptions): Promise<Response> {
  const timeout = AbortSignal.timeout(limits.callTimeoutSeconds * 1_000);
  try {
    return await fetch(`${origin}/callable/${encodeURIComponent(name)}`, {
      method: 'POST',
      body: JSON.stringify({ data }),
      credentials: 'same-origin',
      headers: {
        'content-type': 'application/json',
        'x-lectern-csrf': '1',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
  } catch {
    signal?.throwIfAborted();
    throw offlineError();
  }
}

function errorOf(httpStatus: number, content: unknown): ApiError {
  const { error } = (content ?? {}) as Partial<CallableErrorEnvelope>;
  const known = errorFromEnvelope({ error: { ...error?.details, message: error?.message } });
  return new CallableError(error?.status ?? callableStatusOf(httpStatus), known);
}
