import type { Clock } from '../clock.ts';

const pauseMs = 10 * 60_000;
const originsMax = 1_000;

interface Origin {
  open: number;
  /** Pages in a row that did not end by themselves. */
  hangs: number;
  /** By `elapsed` of the clock. */
  pausedUntil: number;
}

/**
 * Who may open a page next. The origin with the fewest open pages comes first; one whose last page hung has one place, and
 * none for a while after several in a row, so that it does not hold up other sites.
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

  /** Returns true while pages of an origin are not shown, since too many of them hung. */
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

  /** `isHung`: undefined where the page was not tried to its end, which says nothing about its site. */
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

  /** Forgets the origin that was asked for longest ago and has no page open or waiting. */
  #forget(): void {
    const isWaiting = (origin: Origin) => [...this.#waiting].some((waiter) => waiter.origin === origin);
    for (const [name, origin] of this.#origins) {
      if (origin.open > 0 || isWaiting(origin)) continue;
      this.#origins.delete(name);
      return;
    }
  }
}
