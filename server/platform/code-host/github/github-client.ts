import type { Octokit } from '@octokit/core';
import { type Outbound, OutboundError } from '../../outbound/index.ts';
import { CodeHostError } from '../code-host.ts';

const callTimeoutMs = 20_000;
/** GitHub lists at most 100,000 files per response, at about 250 bytes each. */
const answerBytesMax = 40_000_000;
const redirectsMax = 3;

export interface GithubParts {
  apiUrl: string;
  outbound: Outbound;
  userAgent: string;
  now(): number;
}

let loaded: Promise<{ Octokit: typeof Octokit }> | undefined;

/** Loaded lazily: most processes never call GitHub. */
async function loadOctokit(): Promise<{ Octokit: typeof Octokit }> {
  loaded ??= import('@octokit/core');
  return loaded;
}

/** Creates a client that authenticates with this token; every request goes through the guarded client. */
export async function githubClient({ apiUrl, outbound, userAgent }: GithubParts, token?: string): Promise<Octokit> {
  const sdk = await loadOctokit();
  return new sdk.Octokit({
    auth: token,
    baseUrl: apiUrl,
    userAgent,
    request: { fetch: fetchThrough(outbound, apiUrl) },
    // Silenced: its errors say everything, and its log would show addresses of private repositories.
    log: { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined },
  });
}

/**
 * Provides the part of `fetch` that the SDK uses. The token is sent only to the API's origin, even if a response names
 * another origin for its next page.
 */
function fetchThrough(outbound: Outbound, apiUrl: string) {
  const { origin } = new URL(apiUrl);
  return async (address: string, init: RequestInit = {}): Promise<Response> => {
    if (new URL(address).origin !== origin) throw new CodeHostError('refused', 'GitHub named a page at another host');
    const { authorization, ...headers } = Object.fromEntries(new Headers(init.headers).entries());
    const method = init.method ?? 'GET';
    const answer = await outbound.request(address, {
      method,
      headers,
      credentials: authorization === undefined ? {} : { authorization },
      body: typeof init.body === 'string' ? init.body : undefined,
      // GitHub redirects requests for a renamed or moved repository.
      redirectsMax: method === 'GET' ? redirectsMax : 0,
      timeoutMs: callTimeoutMs,
      bytesMax: answerBytesMax,
    });
    const told = Object.entries(answer.headers).flatMap(([name, value]): [string, string][] =>
      value === undefined || name === 'content-encoding' || name === 'content-length' ? [] : [[name, String(value)]],
    );
    const hasBody = answer.body.byteLength > 0 && ![204, 205, 304].includes(answer.status);
    const text = hasBody ? new TextDecoder().decode(answer.body) : null;
    const response = new Response(text, { status: answer.status, headers: told });
    // A `Response` created here has no address, and the SDK reads it.
    return Object.defineProperty(response, 'url', { value: answer.url });
  };
}

/** Runs a call and converts errors of GitHub and of the connection to CodeHostError. */
export async function asking<T>({ now }: Pick<GithubParts, 'now'>, what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw faultOf(error, what, now());
  }
}

function faultOf(error: unknown, what: string, now: number): CodeHostError {
  if (error instanceof CodeHostError) return error;
  const cause = error instanceof Error ? error.cause : undefined;
  if (error instanceof OutboundError || cause instanceof OutboundError) {
    return new CodeHostError('unreachable', `${what}: GitHub cannot be reached`, { cause: error });
  }
  const status = statusOf(error);
  if (status === undefined)
    return new CodeHostError('refused', `${what}: the answer is not understood`, { cause: error });
  const message = `${what}: GitHub answered ${status}`;
  // From here on without a cause: an error of the SDK contains the request with its token.
  const retryAt = retryAtOf(error, status, now);
  if (retryAt !== undefined) return new CodeHostError('rate-limited', message, { retryAt });
  if (status === 401) return new CodeHostError('unauthorized', message);
  if (status === 403) return new CodeHostError('forbidden', message);
  if (status === 404 || status === 410 || status === 451) return new CodeHostError('not-found', message);
  return new CodeHostError(status >= 500 ? 'unreachable' : 'refused', message);
}

function statusOf(error: unknown): number | undefined {
  const status = typeof error === 'object' && error !== null && 'status' in error ? error.status : undefined;
  // The SDK reports status 500 for a request without any response.
  const response = typeof error === 'object' && error !== null && 'response' in error ? error.response : undefined;
  return typeof status === 'number' && response !== undefined ? status : undefined;
}

/**
 * Returns when GitHub accepts requests again after a rate limit, following its rules for its three ways to report one.
 */
function retryAtOf(error: unknown, status: number, now: number): number | undefined {
  if (status !== 403 && status !== 429) return undefined;
  const { headers } = (error as { response: { headers: Record<string, string | undefined> } }).response;
  const seconds = Number(headers['retry-after']);
  if (headers['retry-after'] !== undefined && Number.isFinite(seconds)) return now + seconds * 1000;
  const resetsAt = Number(headers['x-ratelimit-reset']) * 1000;
  if (headers['x-ratelimit-remaining'] === '0' && Number.isFinite(resetsAt)) return Math.max(now, resetsAt);
  return status === 429 ? now + 60_000 : undefined;
}
