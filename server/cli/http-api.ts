import { type Endpoint, type InputOf, type OutputOf, toRequest } from '#contract/endpoint.ts';
import type { ErrorCode, ErrorEnvelope } from '#contract/errors.ts';
import type { Call } from './command.ts';

/** A refusal by the server; `message` is its sentence for people. */
export class ApiError extends Error {
  readonly code: ErrorCode | 'unreachable' | 'not-understood';

  constructor(code: ApiError['code'], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'ApiError';
    this.code = code;
  }
}

/** Advice for the user if a server does not respond as expected. */
interface Advice {
  unreachable: string;
  otherProgram: string;
  otherVersion: string;
}

const localAdvice: Advice = {
  unreachable: 'start it with "lectern start"',
  otherProgram: 'give its port with --port',
  otherVersion: 'restart it',
};
const remoteAdvice: Advice = {
  unreachable: 'check LECTERN_URL or --server, and the network',
  otherProgram: 'check LECTERN_URL or --server',
  otherVersion: 'use the version of this program that it runs',
};

/**
 * Calls a running server of this machine with the token from its data folder. Has no time limit except the server's
 * own, because a search or read takes as long as the page it fetches.
 */
export function httpCall(origin: string, operatorToken: string): Call {
  return callTo(origin, operatorToken, localAdvice);
}

/** Calls another server with an API key; without one, as a visitor. */
export function remoteCall(origin: string, apiKey: string | undefined): Call {
  const call = callTo(origin, apiKey, remoteAdvice);
  return async (endpoint, input) => {
    try {
      return await call(endpoint, input);
    } catch (error) {
      if (apiKey !== undefined || !(error instanceof ApiError) || error.code !== 'unauthenticated') throw error;
      throw new ApiError('unauthenticated', `Set LECTERN_API_KEY to a key that you create at ${origin}/keys.`, error);
    }
  };
}

function callTo(origin: string, token: string | undefined, advice: Advice): Call {
  return async <E extends Endpoint>(endpoint: E, input: InputOf<E>): Promise<OutputOf<E>> => {
    const { path, body } = toRequest(endpoint, input as Record<string, unknown>);
    const headers: Record<string, string> = { accept: 'application/json' };
    if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
    if (body !== undefined) headers['content-type'] = 'application/json';
    const request = { method: endpoint.method, headers, body, redirect: 'error' } as const;
    const response = await fetch(`${origin}${path}`, request).catch((cause: unknown) => {
      throw new ApiError('unreachable', `The server at ${origin} is not responding; ${advice.unreachable}.`, cause);
    });
    const answer = await readJson(response, origin, advice);
    if (!response.ok) throw errorOf(answer, response, origin);
    const parsed = endpoint.output.safeParse(answer);
    if (!parsed.success) {
      const message = `The server at ${origin} runs another version; ${advice.otherVersion}.`;
      throw new ApiError('not-understood', message, parsed.error);
    }
    return parsed.data as OutputOf<E>;
  };
}

/** Status that Node.js returns before our code sees the request. */
const tooLongToRead = 431;

async function readJson(response: Response, origin: string, advice: Advice): Promise<unknown> {
  if (response.status === tooLongToRead) {
    throw new ApiError('not-understood', 'The request is too long. Shorten it and try again.');
  }
  try {
    return await response.json();
  } catch (cause) {
    const message = `Another program responds at ${origin} (status ${response.status}); ${advice.otherProgram}.`;
    throw new ApiError('not-understood', message, cause);
  }
}

function errorOf(answer: unknown, response: Response, origin: string): ApiError {
  const { error } = (answer ?? {}) as Partial<ErrorEnvelope>;
  if (typeof error?.message === 'string') return new ApiError(error.code, error.message);
  return new ApiError('not-understood', `The server at ${origin} refused with status ${response.status}; see its log.`);
}

/** Returns undefined if there is no response within 5 seconds. */
export async function askServer(address: string): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(5_000) });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    if (error instanceof Error) return undefined;
    throw error;
  }
}
