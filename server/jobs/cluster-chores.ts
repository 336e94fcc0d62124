import type { Context } from '#server/context.ts';
import { fillCluster } from '#server/features/library/index.ts';

/** Swaps are told of; this finds what was missed, what failed, and what was deleted. */
const fillEveryMs = 60_000;

export interface ClusterChores {
  /** A module was swapped or removed. */
  wake(): void;
  /** Ends what is under way; it is taken up again next time. */
  stop(): Promise<void>;
}

/** Keeps the search cluster in step with what is served, until stopped; one round at a time. */
export function startClusterChores(ctx: Context, deps: Parameters<typeof fillCluster>[1]): ClusterChores {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isAskedAgain = false;
  let round: Promise<void> | undefined;
  const rounds = async () => {
    while (isAskedAgain && !signal.aborted) {
      isAskedAgain = false;
      await fillCluster(ctx, deps, signal).catch((error: unknown) => {
        if (!signal.aborted) ctx.log.error({ err: error }, 'the search cluster could not be brought up to date');
      });
    }
  };
  const wake = () => {
    if (signal.aborted) return;
    isAskedAgain = true;
    round ??= rounds().finally(() => {
      round = undefined;
    });
  };
  const timer = setInterval(wake, fillEveryMs);
  timer.unref();
  wake();
  return {
    wake,
    async stop() {
      stopping.abort();
      clearInterval(timer);
      await round;
    },
  };
}
