import type { Clock } from '#server/platform/clock.ts';

/** A clock that stands still until it is set. */
export interface SettableClock extends Clock {
  /** Moves time forward and wakes every due sleeper, earliest first. */
  advance(ms: number): void;
  /** Jumps to an instant and wakes sleepers due by then. Going back wakes none. */
  set(epochMs: number): void;
  /** Number of pending sleeps: lets a test wait until the code under test sleeps. */
  readonly sleeperCount: number;
}

/** Starts at 2026-01-01T00:00:00Z by default. */
export function createSettableClock(startEpochMs = Date.UTC(2026, 0, 1)): SettableClock {
  let now = startEpochMs;
  let elapsed = 0;
  const sleepers = new Set<{ dueAt: number; wake: () => void }>();

  function wakeDue(): void {
    const due = [...sleepers].filter((sleeper) => sleeper.dueAt <= elapsed).sort((a, b) => a.dueAt - b.dueAt);
    for (const sleeper of due) sleeper.wake();
  }

  return {
    now: () => now,
    elapsed: () => elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (ms <= 0) return resolve();
        const onAbort = () => {
          sleepers.delete(sleeper);
          reject(signal?.reason);
        };
        const sleeper = {
          dueAt: elapsed + ms,
          wake: () => {
            sleepers.delete(sleeper);
            signal?.removeEventListener('abort', onAbort);
            resolve();
          },
        };
        sleepers.add(sleeper);
        signal?.addEventListener('abort', onAbort, { once: true });
      }),
    advance(ms) {
      now += ms;
      elapsed += ms;
      wakeDue();
    },
    set(epochMs) {
      elapsed += Math.max(0, epochMs - now);
      now = epochMs;
      wakeDue();
    },
    get sleeperCount() {
      return sleepers.size;
    },
  };
}
