import type { Context } from '#server/context.ts';
import { endRevocations, type HostingDependencies } from '#server/features/hosting/index.ts';

const everyMs = 5 * 60_000;

/** Ends tokens at the code host that could not be ended when their connection was, over and over until stopped. */
export function startHostingChores(ctx: Context, deps: HostingDependencies): { stop(): Promise<void> } {
  let round: Promise<unknown> | undefined;
  const work = () => {
    round ??= endRevocations(ctx, deps)
      .catch((error: unknown) => ctx.log.error({ err: error }, 'tokens of the code host were not ended'))
      .finally(() => {
        round = undefined;
      });
  };
  const timer = setInterval(work, everyMs);
  timer.unref();
  work();
  return {
    async stop() {
      clearInterval(timer);
      await round;
    },
  };
}
