import { hash } from 'node:crypto';
import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { documentEndpoints } from '#contract/documents.ts';
import { searchEndpoints } from '#contract/search.ts';
import { AppError } from '#server/app-error.ts';
import { networkOf } from '#server/features/accounts/index.ts';
import { readApiKey } from '#server/features/keys/index.ts';
import type { Role } from '#server/platform/config/config-variables.ts';
import { currentRequest } from './request-record.ts';

/** The MCP end point: people and clients write its address with a slash at the end too. */
export const mcpPaths = ['/mcp', '/mcp/'];
/** End points of agents; the first one also serves a page to people who open its address in a browser. */
const agentPaths = [...mcpPaths, '/search_documentation', '/read'];
/** Where the response of `/mcp` sends a client without a key; any process that serves `/mcp` serves these too. */
const describesAgentPaths = /^\/\.well-known\/oauth-protected-resource(\/|$)/;

/**
 * Returns true if a process of these roles answers a request for a path. `/healthz`, `/readyz` and `/metrics` are answered by every process
 * and are not asked here; a process of workers alone answers nothing else.
 */
export function isServed(roles: readonly Role[], request: { path: string; isForPage: boolean }): boolean {
  const { path, isForPage } = request;
  if (describesAgentPaths.test(path)) return roles.includes('web') || roles.includes('mcp');
  const hasPage = isForPage && mcpPaths.includes(path);
  return roles.includes(agentPaths.includes(path) && !hasPage ? 'mcp' : 'web');
}

/** What is in progress of one caller; at about a hundred searches a second, no matter who is let in waits for less than a second. */
export const underWayOfOneMax = 64;
/** Of one network, by callers whose key or cookie was not recognised before: anyone can make those up. */
export const underWayOfUnknownMax = 2 * underWayOfOneMax;
/** Keys and cookies that were recognised last, by hash. */
const knownMax = 10_000;
/** Of one caller: beside a good cookie, anyone can send keys and cookies that they made up. */
export const knownOfOneMax = 20;
/** Of all together; beyond that only those with next to nothing in progress are let in, up to twice as much. */
const underWayMax = 256;
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

/** Returns true if requests to a path are let in by their number. */
export const isAdmitted = (path: string) => computingPaths.has(path);

/** Returns true if GET of a path is charged for the response's content, which a response to HEAD does not have. */
export const isCharged = (path: string) => chargedPaths.has(path);

/** A response that is still being written. */
interface Lasting {
  over: Promise<void>;
}

/** Counts what is in progress, by caller, and says who has to come again. */
export class Admission {
  #all = 0;
  readonly #ofCaller = new Map<string, number>();

  /**
   * Throws `rate-limited` for who has too much in progress, and `too-busy` when everyone together has. `network`: where a caller
   * who is not known comes from. Work whose response is still being written counts for its caller until that is over. For all
   * together it does not: it may wait for a person, and a few callers who wait must not keep everyone out.
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

/** Whose credentials were recognised last. */
export class KnownCallers {
  readonly #callers = new Map<string, string>();

  of(credential: string): string | undefined {
    return this.#callers.get(credential);
  }

  note(credential: string, who: string): void {
    const isNew = this.#callers.get(credential) !== who;
    // The latest is at the end.
    this.#callers.delete(credential);
    const own = isNew ? [...this.#callers].filter(([, caller]) => caller === who) : [];
    if (own[0] !== undefined && own.length >= knownOfOneMax) this.#callers.delete(own[0][0]);
    this.#callers.set(credential, who);
    const [oldest] = this.#callers.keys();
    if (this.#callers.size > knownMax && oldest !== undefined) this.#callers.delete(oldest);
  }
}

/**
 * Lets searches and reads in only as long as they are answered soon. Everything else, signing in and the health page among
 * it, is let in always. Comes before anything is looked up: callers are distinguished by whose credential theirs was the last
 * time, and those with one that was never recognised are counted by their network too.
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

/** Undefined for a response that is complete: only a stream of events is begun before it is known. */
function lastingOf(c: HonoContext): Lasting | undefined {
  const { body, headers } = c.res;
  if (body === null || headers.get('content-type')?.startsWith('text/event-stream') !== true) return undefined;
  const { promise: over, resolve } = Promise.withResolvers<void>();
  const end = () => resolve();
  c.res = new Response(body.pipeThrough(new TransformStream({ flush: end, cancel: end })), c.res);
  return { over };
}
