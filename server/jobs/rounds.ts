export interface Rounds {
  /** Begins a round, or another one after that which is under way. */
  wake(): void;
  /** Breaks off what is under way, which is taken up again next time, and waits for its end. */
  stop(): Promise<void>;
}

/** Runs `round` at once, every `everyMs` and whenever woken, until stopped; one round at a time. It must not reject. */
export function startRounds(everyMs: number, round: (signal: AbortSignal) => Promise<unknown>): Rounds {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isAskedAgain = false;
  let running: Promise<void> | undefined;
  const run = async () => {
    while (isAskedAgain && !signal.aborted) {
      isAskedAgain = false;
      await round(signal);
    }
  };
  const wake = () => {
    if (signal.aborted) return;
    isAskedAgain = true;
    running ??= run().finally(() => {
      running = undefined;
    });
  };
  const timer = setInterval(wake, everyMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await running;
    },
  };
}
