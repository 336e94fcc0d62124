import { hash } from 'node:crypto';
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { documentEndpoints } from '#contract/documents.ts';
import { searchEndpoints } from '#contract/search.ts';
import { AppError } from '#server/app-error.ts';
import { networkOf } from '#server/features/accounts/index.ts';
import { readApiKey } from '#server/features/keys/index.ts';
import type { Role } from '#server/platform/config/config-variables.ts';
import { currentRequest } from './request-record.ts';

/** The MCP endpoint; clients also use its address with a trailing slash. */
export const mcpPaths = ['/mcp', '/mcp/'];
/** Endpoints for agents; the first one also serves a page to people who open its address in a browser. */
const agentPaths = [...mcpPaths, '/search_documentation', '/read'];
/** Metadata that `/mcp` refers clients without a key to; every process that serves `/mcp` serves it too. */
const describesAgentPaths = /^\/\.well-known\/oauth-protected-resource(\/|$)/;

/**
 * Returns true if a process with these roles serves a path. Every process serves `/healthz`, `/readyz` and `/metrics`,
 * so these are not checked here; a process with only the worker role serves nothing else.
 */
export function isServed(roles: readonly Role[], request: { path: string; isForPage: boolean }): boolean {
  const { path, isForPage } = request;
  if (describesAgentPaths.test(path)) return roles.includes('web') || roles.includes('mcp');
  const hasPage = isForPage && mcpPaths.includes(path);
  return roles.includes(agentPaths.includes(path) && !hasPage ? 'mcp' : 'web');
}

/**
 * Most concurrent requests of one caller: searches wait in fair turns, and at about two hundred per second the last of
 * them waits a second, which is no longer than a refused caller is asked to wait.
 */
export const underWayOfOneMax = 200;
/** Most concurrent requests of one network's unrecognised callers: anyone can invent a key or cookie. */
export const underWayOfUnknownMax = 2 * underWayOfOneMax;
/** Number of most recently recognised keys and cookies to remember, by hash. */
const knownMax = 10_000;
/** Most remembered credentials per caller: beside a valid cookie, a client can send invented keys and cookies. */
export const knownOfOneMax = 20;
/**
 * Most concurrent requests of all callers; beyond this, only callers with few requests in progress are admitted, up to
 * twice as many in total.
 */
const underWayMax = 800;
const nextToNothing = 4;
const tryAgainSeconds = 1;

const searchPaths = [
  ...[searchEndpoints.search.path, searchEndpoints.read.path, '/search_documentation', '/read'],
  ...['/v2/context', '/api/v2/context', '/v2/libs/search', '/api/v2/libs/search'],
];
const computingPaths = new Set([...searchPaths, ...mcpPaths]);
const chargedPaths = new Set([
  ...searchPaths,
  ...[documentEndpoints.showDocument.path, documentEndpoints.documentMarkdown.path],
]);

/** Returns true if concurrent requests to a path are limited. */
export const isAdmitted = (path: string) => computingPaths.has(path);

/** Returns true if a GET of the path is charged for its content, which a response to HEAD does not have. */
export const isCharged = (path: string) => chargedPaths.has(path);

/** A response that is still being written. */
interface Lasting {
  over: Promise<void>;
}

/** Counts the requests in progress per caller and refuses those over the limits. */
export class Admission {
  #all = 0;
  readonly #ofCaller = new Map<string, number>();

  /**
   * Throws `rate-limited` if the caller has too many requests in progress, and `too-busy` if all callers together have.
   * `network` is the network of an unrecognised caller. A request whose response is still streaming counts for its
   * caller until the stream ends, but not for the total: it may be waiting for a person, and a few such callers must
   * not block everyone.
   */
  async run(caller: string, work: () => Promise<Lasting | undefined>, network?: string): Promise<void> {
    const own = this.#countOf(caller);
    const ofUnknown = network === undefined ? 0 : this.#countOf(network);
    if (own >= underWayOfOneMax || ofUnknown >= underWayOfUnknownMax) throw refusal('rate-limited');
    if (this.#all >= (own < nextToNothing ? 2 : 1) * underWayMax) throw refusal('too-busy');
    const counted = network === undefined ? [caller] : [caller, network];
    this.#all += 1;
    for (const one of counted) this.#ofCaller.set(one, this.#countOf(one) + 1);
    let over: Promise<void> | undefined;
    try {
      over = (await work())?.over;
    } finally {
      this.#all -= 1;
      if (over === undefined) this.#leave(counted);
      else void over.then(() => this.#leave(counted));
    }
  }

  #leave(counted: string[]): void {
    for (const one of counted) {
      const left = this.#countOf(one) - 1;
      if (left === 0) this.#ofCaller.delete(one);
      else this.#ofCaller.set(one, left);
    }
  }

  #countOf(caller: string): number {
    return this.#ofCaller.get(caller) ?? 0;
  }
}

function refusal(code: 'rate-limited' | 'too-busy'): AppError {
  return new AppError(code, { values: { seconds: tryAgainSeconds }, retryAfterSeconds: tryAgainSeconds });
}

/** The callers of the most recently recognised credentials. */
export class KnownCallers {
  readonly #callers = new Map<string, string>();

  of(credential: string): string | undefined {
    return this.#callers.get(credential);
  }

  note(credential: string, who: string): void {
    const isNew = this.#callers.get(credential) !== who;
    // Reinserting moves the entry to the end, where the newest are.
    this.#callers.delete(credential);
    const own = isNew ? [...this.#callers].filter(([, caller]) => caller === who) : [];
    if (own[0] !== undefined && own.length >= knownOfOneMax) this.#callers.delete(own[0][0]);
    this.#callers.set(credential, who);
    const [oldest] = this.#callers.keys();
    if (this.#callers.size > knownMax && oldest !== undefined) this.#callers.delete(oldest);
  }
}

/**
 * Limits concurrent searches and reads so that they are served promptly. All other requests, such as sign-in and health
 * checks, always pass. Runs before any look-up: a caller is recognised by the account its credential belonged to last
 * time, and unrecognised credentials are also counted per network.
 */
export function admitted(admission: Admission, addressOf: (c: HonoContext) => string): MiddlewareHandler {
  const known = new KnownCallers();
  return async (c, next) => {
    if (!isAdmitted(c.req.path)) return next();
    const network = `network ${networkOf(addressOf(c))}`;
    const credential = hash('sha256', readApiKey(c.req.raw) ?? c.req.header('cookie') ?? network);
    const caller = known.of(credential);
    const work = async () => {
      await next();
      return lastingOf(c);
    };
    await admission.run(caller ?? credential, work, caller === undefined ? network : undefined);
    const who = currentRequest()?.who;
    if (who !== undefined) known.note(credential, who);
  };
}

/** Returns undefined for a complete response: only an event stream starts before its content is known. */
function lastingOf(c: HonoContext): Lasting | undefined {
  const { body, headers } = c.res;
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) return undefined;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  c.res = new Response(body.pipeThrough(new TransformStream({ flush: end, cancel: end })), c.res);
  return { over };
}
