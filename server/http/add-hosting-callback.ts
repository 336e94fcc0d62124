import type { Hono, Context as HonoContext } from 'hono';
import { hostingCallbackPath, hostingPagePath } from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { Hosting } from '#server/features/hosting/index.ts';

/** Adds the path to which the code host redirects the browser; the result is in the query of the next redirect. */
export function addHostingCallback(
  app: Hono<{ Variables: { requestId: string } }>,
  { hosting, contextOf }: { hosting: Pick<Hosting, 'finishConnecting'>; contextOf(c: HonoContext): Promise<Context> },
): void {
  app.get(hostingCallbackPath, async (c) => {
    const ctx = await contextOf(c);
    const goTo = (path: string, outcome: string) => {
      // Only the path is used, so the redirect stays on this site.
      const url = new URL(path, 'http://here.invalid');
      url.searchParams.set('github', outcome);
      c.header('cache-control', 'no-store');
      c.header('referrer-policy', 'no-referrer');
      return c.redirect(`${url.pathname}${url.search}${url.hash}`, 303);
    };
    try {
      const query = new URL(c.req.url).searchParams;
      const { cont } = await hosting.finishConnecting(ctx, { query });
      return goTo(cont, 'connected');
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      ctx.log.warn({ err: error }, 'a connection to the code host was not made');
      return goTo(hostingPagePath, error.code);
    }
  });
}
