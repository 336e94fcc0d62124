import type { Context } from '#server/context.ts';

const everyMs = 5_000;

/** Sends mails that the mail server did not take before, over and over until stopped. */
export function startMailChores(ctx: Context, mailer: { sendDue(): Promise<void> }): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const loop = async () => {
    while (!stopping.signal.aborted) {
      await mailer.sendDue().catch((error: unknown) => ctx.log.error({ err: error }, 'waiting mails were not sent'));
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
