import { setTimeout as delay } from 'node:timers/promises';

/** The only source of time for code whose decisions depend on it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Monotonic milliseconds since some moment, unaffected when the system clock is set. For measuring waits. */
  elapsed(): number;
  /** Resolves after `ms`; rejects with the signal's reason if aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. A pending sleep does not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  async sleep(ms, signal) {
    try {
      await delay(ms, undefined, { ref: false, ...(signal ? { signal } : {}) });
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};
