import type { Context } from '#server/context.ts';

const renewEveryMs = 60_000;
const sweepEveryMs = 60 * 60_000;

export interface StoreWork {
  /** Marks the store as this installation's once more; false where another database works on it too. */
  renew(): Promise<boolean>;
  /** Clears away what no row names, and what was in the trash for long enough. */
  sweep(): Promise<unknown>;
}

/**
 * Marks the store every minute and sweeps it every hour, until stopped. The first sweep comes an hour after the start: until then an
 * operator who started with the wrong database has seen it.
 */
export function startStoreChores(ctx: Context, work: StoreWork): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  let sweptAt = ctx.clock.now();
  const round = async () => {
    if (!(await work.renew())) {
      ctx.log.error({}, 'another database works on this file store, so nothing is deleted from it');
      return;
    }
    const now = ctx.clock.now();
    if (now - sweptAt < sweepEveryMs) return;
    sweptAt = now;
    await work.sweep();
  };
  const loop = async () => {
    await ctx.clock.sleep(renewEveryMs, signal).catch(() => undefined);
    while (!signal.aborted) {
      await round().catch((error: unknown) =>
        ctx.log.error({ err: error }, 'the file store could not be looked after'),
      );
      await ctx.clock.sleep(renewEveryMs, signal).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
    },
  };
}
