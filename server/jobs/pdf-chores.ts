import type { Context } from '#server/context.ts';
import { sweepPdfFiles } from '#server/features/pdf-sets/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';

const everyMs = 60 * 60_000;

/** Once at the start and then every hour: forgets uploads that stood still, and deletes files that were given up. */
export function startPdfChores(
  ctx: Context,
  deps: { blobs: Blobs; mayDelete: () => boolean },
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      if (deps.mayDelete())
        await sweepPdfFiles(ctx, deps).catch((error: unknown) =>
          ctx.log.error({ err: error }, 'files of PDF sets that are not needed could not be deleted'),
        );
      await ctx.clock.sleep(everyMs, stopping.signal).catch(() => undefined);
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
