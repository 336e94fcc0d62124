import { setTimeout as delay } from 'node:timers/promises';

/** The only source of time for code that decides by it. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
  /** Milliseconds since some moment. It goes on evenly where the machine's clock is set, so that no wait lasts as long as that was moved. */
  elapsed(): number;
  /** Resolves after `ms`; rejects with the signal's reason when aborted first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. A pending sleep does not keep the process alive once everything else has ended. */
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
