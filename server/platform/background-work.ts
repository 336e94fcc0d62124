import type { Logger } from '#server/platform/log.ts';

/** Work that no caller waits for, such as sending mails. */
export interface BackgroundWork {
  /** Starts the work now; a failure is logged under this name. Not for use inside a transaction. */
  run(name: string, work: () => Promise<void>): void;
  /** Resolves once all started work has ended. */
  settled(): Promise<void>;
}

export function createBackgroundWork(log: Logger): BackgroundWork {
  const underWay = new Set<Promise<void>>();
  return {
    run(name, work) {
      const running = work()
        .catch((error: unknown) => log.error({ err: error }, `${name} failed`))
        .finally(() => underWay.delete(running));
      underWay.add(running);
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay);
    },
  };
}
