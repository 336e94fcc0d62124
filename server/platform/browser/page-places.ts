import type { Clock } from '../clock.ts';

const pauseMs = 10 * 60_000;
const originsMax = 1_000;

interface Origin {
  open: number;
  /** Consecutive pages that hung. */
  hangs: number;
  /** In the clock's `elapsed` time. */
  pausedUntil: number;
}

/**
 * Schedules which page is opened next. The origin with the fewest open pages comes first. An origin whose last page
 * hung may open one page at a time, and none for a while after several consecutive hangs, so that it does not block
 * other sites.
 */
export class PagePlaces {
  readonly #limits: { pagesAtOnce: number; hangsMax: number };
  readonly #clock: Clock;
  readonly #origins = new Map<string, Origin>();
  readonly #waiting = new Set<{ origin: Origin; enter: () => void }>();
  #open = 0;

  constructor(limits: { pagesAtOnce: number; hangsMax: number }, clock: Clock) {
    this.#limits = limits;
    this.#clock = clock;
  }

  get open(): number {
    return this.#open;
  }

  /** Returns true while an origin is paused because too many of its pages hung. */
  isPaused(name: string): boolean {
    return (this.#origins.get(name)?.pausedUntil ?? 0) > this.#clock.elapsed();
  }

  /** Resolves when a page of the origin may be opened; rejects with the signal's reason. */
  async enter(name: string, signal: AbortSignal | undefined): Promise<void> {
    const origin = this.#originOf(name);
    await new Promise<void>((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(waiter);
        reject(signal?.reason as Error);
      };
      const waiter = {
        origin,
        enter: () => {
          this.#waiting.delete(waiter);
          signal?.removeEventListener('abort', leave);
          this.#open += 1;
          origin.open += 1;
          resolve();
        },
      };
      this.#waiting.add(waiter);
      signal?.addEventListener('abort', leave, { once: true });
      if (signal?.aborted) leave();
      else this.#next();
    });
  }

  /** `isHung` is undefined for an unfinished attempt, which says nothing about the site. */
  leave(name: string, { isHung }: { isHung: boolean | undefined }): void {
    const origin = this.#originOf(name);
    this.#open -= 1;
    origin.open -= 1;
    if (isHung !== undefined) origin.hangs = isHung ? origin.hangs + 1 : 0;
    if (isHung === true && origin.hangs >= this.#limits.hangsMax) {
      origin.hangs = 1;
      origin.pausedUntil = this.#clock.elapsed() + pauseMs;
    }
    this.#next();
  }

  #next(): void {
    while (this.#open < this.#limits.pagesAtOnce) {
      const ready = [...this.#waiting].filter(({ origin }) => origin.open === 0 || origin.hangs === 0);
      const [first] = ready.sort((a, b) => a.origin.open - b.origin.open);
      if (first === undefined) return;
      first.enter();
    }
  }

  #originOf(name: string): Origin {
    const origin = this.#origins.get(name) ?? { open: 0, hangs: 0, pausedUntil: 0 };
    this.#origins.delete(name);
    this.#origins.set(name, origin);
    if (this.#origins.size > originsMax) this.#forget();
    return origin;
  }

  /** Forgets the least recently requested origin with no open or waiting page. */
  #forget(): void {
    const isWaiting = (origin: Origin) => [...this.#waiting].some((waiter) => waiter.origin === origin);
    for (const [name, origin] of this.#origins) {
      if (origin.open > 0 || isWaiting(origin)) continue;
      this.#origins.delete(name);
      return;
    }
  }
}
