import type { Context } from '#server/context.ts';
import { makePassageVectors } from '#server/features/library/index.ts';
import { type Rounds, startRounds } from './rounds.ts';

/** Swaps are told of; this finds what was missed, and what failed. */
const everyMs = 60_000;

/** Makes vectors of the passages that are served, until stopped; to be woken when a module was swapped or removed. */
export function startVectorChores(ctx: Context, deps: Parameters<typeof makePassageVectors>[1]): Rounds {
  return startRounds(everyMs, (signal) =>
    makePassageVectors(ctx, deps, signal).catch((error: unknown) => {
      if (!signal.aborted) ctx.log.error({ err: error }, 'vectors of passages could not be made');
    }),
  );
}
