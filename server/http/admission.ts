import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { documentEndpoints } from '#contract/documents.ts';
import { searchEndpoints } from '#contract/search.ts';
import { AppError } from '#server/app-error.ts';
import { readApiKey } from '#server/features/keys/index.ts';
import type { Clock } from '#server/platform/clock.ts';
import { mcpPaths } from './paths-of-roles.ts';

/** What is in progress of one caller; at about a hundred searches a second, no matter who is let in waits for less than a second. */
export const underWayOfOneMax = 64;
/** Of all together; beyond that only those with next to nothing in progress are let in, up to twice as much. */
const underWayMax = 256;
const nextToNothing = 4;
/**
 * A refusal is held back for as long, so that those who ask again at once do not take the time of those who are served.
 * So many at most: a held one takes memory.
 */
const heldMs = 100;
const heldMax = 1_000;
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

/** Returns true if GET of a path is charged for the response's content, which a response to HEAD does not have. */
export const isCharged = (path: string) => chargedPaths.has(path);

/** Counts what is in progress, by caller, and says who has to come again. */
export class Admission {
  #all = 0;
  #held = 0;
  readonly #ofCaller = new Map<string, number>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Throws `rate-limited` for who has too much in progress, and `too-busy` when everyone together has. */
  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    const own = this.#ofCaller.get(caller) ?? 0;
    if (own >= underWayOfOneMax) return this.#refuse('rate-limited');
    if (this.#all >= (own < nextToNothing ? 2 : 1) * underWayMax) return this.#refuse('too-busy');
    this.#all += 1;
    this.#ofCaller.set(caller, own + 1);
    try {
      return await work();
    } finally {
      this.#all -= 1;
      const left = (this.#ofCaller.get(caller) ?? 1) - 1;
      if (left === 0) this.#ofCaller.delete(caller);
      else this.#ofCaller.set(caller, left);
    }
  }

  async #refuse(code: 'rate-limited' | 'too-busy'): Promise<never> {
    if (this.#held < heldMax) {
      this.#held += 1;
      await this.#clock.sleep(heldMs).finally(() => {
        this.#held -= 1;
      });
    }
    throw new AppError(code, { values: { seconds: tryAgainSeconds }, retryAfterSeconds: tryAgainSeconds });
  }
}

/**
 * Lets searches and reads in only as long as they are answered soon. Everything else, signing in and the health page among
 * it, is let in always. Comes before anything is looked up: callers are distinguished by the credential they send, not by who they are.
 */
export function admitted(admission: Admission, addressOf: (c: HonoContext) => string): MiddlewareHandler {
  return (c, next) => {
    if (!computingPaths.has(c.req.path)) return next();
    return admission.run(readApiKey(c.req.raw) ?? c.req.header('cookie') ?? addressOf(c), next);
  };
}
