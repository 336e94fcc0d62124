import type { Clock } from '#server/platform/clock.ts';

/** A request's outcome, as far as it says something about the host. */
export type HostVerdict = 'ok' | 'overloaded' | 'unreachable';

const inFlightStart = 2;
const inFlightDefaultMax = 8;
/** A response that starts within this time is fast. */
const fastMs = 400;
/** A slower response means that the host is busy. */
const slowMs = 2_000;
/** The pause doubles with each consecutive failure, from 1 s to 30 s. */
const pauseFirstMs = 1_000;
const pauseMaxMs = 30_000;

const gatesMax = 1_000;

/** Permission to send one request to a host. Release it exactly once. */
export interface Permit {
  release(verdict: HostVerdict, latencyMs: number): void;
}

/**
 * Limits concurrent requests to one host: two at first, more while it responds fast, fewer while it is slow or
 * overloaded, none while paused. With a delay set, one request at a time, with at least that time between two starts.
 */
export class HostGate {
  /** Failures since the last good response; 0 while the host is healthy. */
  failuresInARow = 0;
  /** Time (`clock.elapsed`) of the last good response, or of the gate's creation. */
  lastGoodAt: number;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #inFlightMax: number;
  #inFlightLimit: number;
  #inFlight = 0;
  #goodInARow = 0;
  #delayMs = 0;
  #openAt = 0;
  #failedAt = 0;
  #isWaking = false;
  readonly #waiting: { crawl: object; admit: () => void }[] = [];
  /** For each crawl, the number of its last request. */
  readonly #servedAs = new WeakMap<object, number>();
  #served = 0;

  constructor(clock: Clock, random: () => number, inFlightMax: number) {
    this.#clock = clock;
    this.#random = random;
    this.#inFlightMax = Math.max(1, inFlightMax);
    this.#inFlightLimit = Math.min(inFlightStart, this.#inFlightMax);
    this.lastGoodAt = clock.elapsed();
  }

  get inFlightLimit(): number {
    return this.#inFlightLimit;
  }

  /**
   * Milliseconds until requests may be sent, after a pause requested by the host or caused by failures; negative if not
   * paused.
   */
  get pausedForMs(): number {
    return this.#openAt - this.#clock.elapsed();
  }

  /** Sets the minimum time between two requests, which are then sent one at a time; 0 removes it. */
  setDelay(delayMs: number): void {
    this.#delayMs = delayMs;
  }

  /** Sends nothing for this time. */
  pauseFor(ms: number): void {
    this.#openAt = Math.max(this.#openAt, this.#clock.elapsed() + ms);
  }

  /**
   * Waits for a turn. The crawl served longest ago comes first; within a crawl, first come, first served. Rejects with
   * the signal's reason when aborted while waiting.
   */
  async enter(signal: AbortSignal, crawl: object): Promise<Permit> {
    signal.throwIfAborted();
    if (this.#waiting.length === 0 && this.#isOpen()) this.#admit(crawl);
    else await this.#wait(signal, crawl);
    const startedAt = this.#clock.elapsed();
    let isReleased = false;
    return {
      release: (verdict, latencyMs) => {
        if (isReleased) return;
        isReleased = true;
        this.#inFlight--;
        if (verdict === 'ok') this.#answered(latencyMs);
        else this.#failed(startedAt);
        this.#wake();
      },
    };
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#waiting.length === 0 && this.pausedForMs <= 0;
  }

  #hasRoom(): boolean {
    return this.#inFlight < (this.#delayMs > 0 ? 1 : this.#inFlightLimit);
  }

  #isOpen(): boolean {
    return this.#hasRoom() && this.pausedForMs <= 0;
  }

  #admit(crawl: object): void {
    this.#inFlight++;
    this.#servedAs.set(crawl, ++this.#served);
    if (this.#delayMs > 0) this.pauseFor(this.#delayMs);
  }

  async #wait(signal: AbortSignal, crawl: object): Promise<void> {
    const turn = Promise.withResolvers<void>();
    const waiter = { crawl, admit: turn.resolve };
    const onAbort = () => {
      const at = this.#waiting.indexOf(waiter);
      if (at < 0) return;
      this.#waiting.splice(at, 1);
      turn.reject(signal.reason);
    };
    this.#waiting.push(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#wake();
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Admits as many waiting requests as there is room for; during a pause, runs again when the pause ends. */
  #wake(): void {
    while (this.#waiting.length > 0 && this.#isOpen()) {
      const served = this.#waiting.map(({ crawl }) => this.#servedAs.get(crawl) ?? 0);
      const [next] = this.#waiting.splice(served.indexOf(Math.min(...served)), 1);
      if (next === undefined) return;
      this.#admit(next.crawl);
      next.admit();
    }
    // If there is no room, the next release calls this again.
    if (this.#waiting.length === 0 || this.#isWaking || !this.#hasRoom()) return;
    this.#isWaking = true;
    void this.#clock.sleep(this.pausedForMs).then(() => {
      this.#isWaking = false;
      this.#wake();
    });
  }

  #answered(latencyMs: number): void {
    this.failuresInARow = 0;
    this.lastGoodAt = this.#clock.elapsed();
    if (latencyMs > slowMs) this.#shrink(this.#inFlightLimit - 1);
    else if (latencyMs <= fastMs && ++this.#goodInARow >= this.#inFlightLimit) {
      this.#goodInARow = 0;
      this.#inFlightLimit = Math.min(this.#inFlightLimit + 1, this.#inFlightMax);
    }
  }

  #failed(startedAt: number): void {
    // Concurrent requests that fail together count as one failure of the host.
    if (this.failuresInARow > 0 && startedAt <= this.#failedAt) return;
    this.#failedAt = this.#clock.elapsed();
    this.failuresInARow++;
    this.#shrink(Math.floor(this.#inFlightLimit / 2));
    const pauseMs = Math.min(pauseFirstMs * 2 ** (this.failuresInARow - 1), pauseMaxMs);
    this.pauseFor(pauseMs * (0.5 + this.#random() / 2));
  }

  #shrink(limit: number): void {
    this.#goodInARow = 0;
    this.#inFlightLimit = Math.max(1, limit);
  }
}

/** One gate for each host, shared by all crawls. */
export class HostGates {
  readonly #byOrigin = new Map<string, HostGate>();
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #inFlightMax: number;
  #lookAgainAt = gatesMax;

  /** `inFlightMax`: maximum number of concurrent requests per host; 8 by default. */
  constructor(clock: Clock, random: () => number, inFlightMax = inFlightDefaultMax) {
    this.#clock = clock;
    this.#random = random;
    this.#inFlightMax = inFlightMax;
  }

  of(origin: string): HostGate {
    let gate = this.#byOrigin.get(origin);
    if (!gate) {
      if (this.#byOrigin.size >= this.#lookAgainAt) this.#forgetIdle();
      gate = new HostGate(this.#clock, this.#random, this.#inFlightMax);
      this.#byOrigin.set(origin, gate);
    }
    return gate;
  }

  #forgetIdle(): void {
    for (const [origin, gate] of this.#byOrigin) if (gate.isIdle) this.#byOrigin.delete(origin);
    // Many gates may be busy or paused, so they are not all checked again for each new one.
    this.#lookAgainAt = Math.max(gatesMax, this.#byOrigin.size * 2);
  }
}
