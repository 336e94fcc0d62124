import type { Context } from '#server/context.ts';
import { credentialOf } from '#server/context.ts';
import type { RankThread } from './rank-thread.ts';
import type { Search } from './search.ts';

/** A search computes, and waits for the disk or the database in between: more at once only make each other slower. */
const atOnce = 4;
/** Who has asked within this time is likely to ask again. */
const besideMs = 2_000;

/**
 * Lets so many work at once; those who wait come by turns, one of each caller, in the order they came. Beside others who ask,
 * each caller has one place, so that the person who comes finds one that is free.
 *
 * Work may compute from its beginning to its end, with a database that answers at once, and no one's request is read
 * meanwhile. So one begins in each round of the loop that reads them, of the person who began longest ago: otherwise calls would come
 * here one after another, each done before the next is known.
 */
export class FairTurns {
  readonly #atOnce: number;
  readonly #nowMs: () => number;
  #running = 0;
  readonly #runningOf = new Map<string, number>();
  /** In the order of their turns. */
  readonly #waiting = new Map<string, (() => void)[]>();
  /** When each caller asked last; the latest is at the end. */
  readonly #askedAt = new Map<string, number>();
  /** Let in, and not begun yet. */
  readonly #ready: { caller: string; begin: () => void }[] = [];
  /** Of each caller who asked lately, the number of the last beginning. */
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
    // Counted before it goes on, so that no one comes in between.
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
 * The same search, in which a busy caller does not hold up the others. The ranker sees all waiting searches, as
 * those are what a second thread is for.
 */
export function searchFairly(search: Search, ranker?: RankThread): Search {
  const turns = new FairTurns(atOnce);
  const inTurn = <T>(ctx: Context, work: () => Promise<T>): Promise<T> => {
    const turn = () => turns.run(callerOf(ctx), work);
    return ranker === undefined ? turn() : ranker.beside(turn);
  };
  return {
    ...search,
    searchDocs: (ctx, ...rest) => inTurn(ctx, () => search.searchDocs(ctx, ...rest)),
    which: { ...search.which, ask: (ctx, ...rest) => inTurn(ctx, () => search.which.ask(ctx, ...rest)) },
  };
}

function callerOf({ actor }: Context): string {
  if (actor.kind === 'anonymous') return '';
  return credentialOf(actor)?.id ?? actor.userId;
}
