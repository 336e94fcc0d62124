import type { Context } from '#server/context.ts';
import { credentialOf } from '#server/context.ts';
import type { RankThread } from './rank-thread.ts';
import { createSearch, type Search, type SearchParts } from './search.ts';

/**
 * Most concurrent searches and reads: one alternates between computing and waiting for the disk or database, and more at
 * once only slow each other down.
 */
const atOnce = 4;
/** A caller that searched within this time is likely to search again. */
const besideMs = 2_000;

/**
 * Limits concurrent work; waiting callers take turns, one call each, in arrival order. While several callers are
 * active, each may run only one call, so that a new caller finds a free slot.
 *
 * Work may compute from start to end without yielding if the database answers immediately, and no request is read
 * meanwhile. So each iteration of the event loop starts only one call, from the caller whose last start is the oldest:
 * otherwise each call would finish before the next request is read.
 */
export class FairTurns {
  readonly #atOnce: number;
  readonly #nowMs: () => number;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  /** Waiting calls by caller, in the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** Time of each active caller's last call; the latest is at the end. */
  readonly #askedAt = new Map<string, number>();
  /** Calls admitted but not started yet. */
  readonly #ready: { caller: string; begin: () => void }[] = [];
  /** Sequence number of each active caller's last start. */
  readonly #begunAt = new Map<string, number>();
  #begun = 0;

  constructor(most: number, nowMs: () => number = () => performance.now()) {
    this.#atOnce = most;
    this.#nowMs = nowMs;
  }

  async run<T>(caller: string, work: () => Promise<T>): Promise<T> {
    await this.#enter(caller);
    try {
      await this.#untilBegin(caller);
      return await work();
    } finally {
      this.#leave(caller);
    }
  }

  /** Gives up the caller's slot while its work waits for something slow, and takes another one afterwards. */
  async aside<T>(caller: string, work: () => Promise<T>): Promise<T> {
    this.#leave(caller);
    try {
      return await work();
    } finally {
      await this.#enter(caller);
    }
  }

  async #enter(caller: string): Promise<void> {
    this.#note(caller);
    if (!this.#waiting.has(caller) && this.#mayStart(caller)) return this.#start(caller);
    const { promise, resolve } = Promise.withResolvers<void>();
    const queue = this.#waiting.get(caller);
    if (queue === undefined) this.#waiting.set(caller, [resolve]);
    else queue.push(resolve);
    await promise;
  }

  #untilBegin(caller: string): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#ready.push({ caller, begin: resolve });
    if (this.#ready.length === 1) setImmediate(() => this.#beginOne());
    return promise;
  }

  #beginOne(): void {
    const lastOf = ({ caller }: { caller: string }) => this.#begunAt.get(caller) ?? 0;
    const next = this.#ready.reduce((first, other) => (lastOf(other) < lastOf(first) ? other : first));
    this.#ready.splice(this.#ready.indexOf(next), 1);
    this.#begun += 1;
    if (this.#askedAt.has(next.caller)) this.#begunAt.set(next.caller, this.#begun);
    if (this.#ready.length > 0) setImmediate(() => this.#beginOne());
    next.begin();
  }

  #leave(caller: string): void {
    this.#running -= 1;
    const left = (this.#runningOf.get(caller) ?? 1) - 1;
    if (left === 0) this.#runningOf.delete(caller);
    else this.#runningOf.set(caller, left);
    for (let next = this.#next(); next !== undefined; next = this.#next()) this.#letIn(next);
  }

  /** Returns the caller that has waited longest and may start a search. */
  #next(): string | undefined {
    if (this.#running >= this.#atOnce) return undefined;
    return [...this.#waiting.keys()].find((caller) => this.#mayStart(caller));
  }

  #letIn(caller: string): void {
    const queue = this.#waiting.get(caller) ?? [];
    const enter = queue.shift();
    this.#waiting.delete(caller);
    if (queue.length > 0) this.#waiting.set(caller, queue);
    // Count it before it resumes, so that no other call takes the slot.
    this.#start(caller);
    enter?.();
  }

  #start(caller: string): void {
    this.#running += 1;
    this.#runningOf.set(caller, (this.#runningOf.get(caller) ?? 0) + 1);
  }

  #mayStart(caller: string): boolean {
    if (this.#running >= this.#atOnce) return false;
    return (this.#runningOf.get(caller) ?? 0) < (this.#isAlone(caller) ? this.#atOnce : 1);
  }

  #isAlone(caller: string): boolean {
    return this.#askedAt.size === 0 || (this.#askedAt.size === 1 && this.#askedAt.has(caller));
  }

  #note(caller: string): void {
    const now = this.#nowMs();
    this.#askedAt.delete(caller);
    this.#askedAt.set(caller, now);
    for (const [other, askedAt] of this.#askedAt) {
      if (askedAt > now - besideMs) return;
      this.#askedAt.delete(other);
      this.#begunAt.delete(other);
    }
  }
}

/**
 * Creates the search with fair scheduling, so that a busy caller does not delay the others. A page that is fetched does
 * not take a slot meanwhile. The ranker counts waiting searches too, since they are the reason to start its thread.
 */
export function createFairSearch(parts: Omit<SearchParts, 'aside'> & { ranker?: RankThread | undefined }): Search {
  const { ranker } = parts;
  const turns = new FairTurns(atOnce);
  const search = createSearch({ ...parts, aside: (ctx, work) => turns.aside(callerOf(ctx), work) });
  const inTurn = <T>(ctx: Context, work: () => Promise<T>) => turns.run(callerOf(ctx), work);
  const ranked = <T>(ctx: Context, work: () => Promise<T>): Promise<T> =>
    ranker === undefined ? inTurn(ctx, work) : ranker.beside(() => inTurn(ctx, work));
  return {
    ...search,
    searchDocs: (ctx, ...rest) => ranked(ctx, () => search.searchDocs(ctx, ...rest)),
    readUrl: (ctx, ...rest) => inTurn(ctx, () => search.readUrl(ctx, ...rest)),
    which: { ...search.which, ask: (ctx, ...rest) => ranked(ctx, () => search.which.ask(ctx, ...rest)) },
  };
}

function callerOf({ actor }: Context): string {
  if (actor.kind === 'anonymous') return '';
  return credentialOf(actor)?.id ?? actor.userId;
}
