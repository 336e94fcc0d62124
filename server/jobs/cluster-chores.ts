import type { Context } from '#server/context.ts';
import { fillCluster } from '#server/features/library/index.ts';
import { type Rounds, startRounds } from './rounds.ts';

/** Swaps are told of; this finds what was missed, what failed, and what was deleted. */
const fillEveryMs = 60_000;

/** Keeps the search cluster in step with what is served, until stopped; to be woken when a module was swapped or removed. */
export function startClusterChores(ctx: Context, deps: Parameters<typeof fillCluster>[1]): Rounds {
  return startRounds(fillEveryMs, (signal) =>
    fillCluster(ctx, deps, signal).catch((error: unknown) => {
      if (!signal.aborted) ctx.log.error({ err: error }, 'the search cluster could not be brought up to date');
    }),
  );
}
