import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import type { ErrorCode, ErrorEnvelope } from '#contract/errors.ts';
import type { Call } from './call.ts';

/** A refusal by the server; `message` is its sentence for people. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'unreachable' | 'not-understood';

  constructor(code: ApiError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApiError';
    this.code = code;
  }
}

/**
 * Calls a running server of this machine with the token it wrote into its data folder.
 * A search or a read may take as long as the page it fetches: there is no limit here but the server's own.
 */
export function httpCall(origin: string, operatorToken: string): Call {
  return async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> => {
    const { path, body } = toRequest(endpoint, input as Record<string, unknown>);
    const headers: Record<string, string> = { authorization: `Bearer ${operatorToken}`, accept: 'application/json' };
    if (body !== undefined) headers['content-type'] = 'application/json';
    const response = await send(origin, path, { method: endpoint.method, headers, body });
    const answer = await readJson(response, origin);
    if (!response.ok) throw errorOf(answer, response, origin);
    const parsed = endpoint.output.safeParse(answer);
    if (!parsed.success) {
      throw new ApiError('not-understood', `The server at ${origin} is of another version; restart it.`, parsed.error);
    }
    return parsed.data as OutputOf<E>;
  };
}

async function send(origin: string, path: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(`${origin}${path}`, { ...init, redirect: 'error' });
  } catch (cause) {
    throw new ApiError(
      'unreachable',
      `The server at ${origin} is not responding; start it with "lectern start".`,
      cause,
    );
  }
}

/** Node answers it before any of our code sees the request. */
const tooLongToRead = 431;

async function readJson(response: Response, origin: string): Promise<unknown> {
  if (response.status === tooLongToRead) {
    throw new ApiError('not-understood', 'The request is too long. Shorten it and try again.');
  }
  try {
    return await response.json();
  } catch (cause) {
    throw new ApiError(
      'not-understood',
      `What answers at ${origin} (status ${response.status}) is not this program; give its port with --port.`,
      cause,
    );
  }
}

function errorOf(answer: unknown, response: Response, origin: string): ApiError {
  const { error } = (answer ?? {}) as Partial<ErrorEnvelope>;
  if (typeof error?.message === 'string') return new ApiError(error.code, error.message);
  return new ApiError('not-understood', `The server at ${origin} refused with status ${response.status}; see its log.`);
}

/** Undefined when nothing answers within 5 seconds. */
export async function askServer(address: string): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
