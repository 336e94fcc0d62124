import type { Context } from '#server/context.ts';
import { measureStatus, pruneStatus, type Sampling, writeSamples } from '#server/features/status/index.ts';

const minuteMs = 60_000;
const pruneEveryMs = 60 * minuteMs;

/**
 * Looks at the parts of the installation when it starts and then at every full minute; once an hour makes room. What was counted
 * since the last minute is written when it is stopped, and what was counted after that when it is stopped again.
 */
export function startStatusChores(ctx: Context, sampling: Sampling): { stop(): Promise<void> } {
  const stopping = new AbortController();
  let prunedAt: number | undefined;
  const prune = async () => {
    const now = ctx.clock.now();
    // A clock that was put back must not keep this from happening.
    if (prunedAt !== undefined && now >= prunedAt && now - prunedAt < pruneEveryMs) return;
    prunedAt = now;
    await pruneStatus(ctx);
  };
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await measureStatus(ctx, sampling, stopping.signal);
      await prune().catch((error: unknown) => ctx.log.error({ err: error }, 'old samples could not be put together'));
      const untilNextMs = minuteMs - (ctx.clock.now() % minuteMs);
      await ctx.clock.sleep(untilNextMs, stopping.signal).catch(() => undefined);
    }
  };
  const looping = loop();
  return {
    async stop() {
      stopping.abort();
      await looping;
      await writeSamples(ctx, sampling);
    },
  };
}
