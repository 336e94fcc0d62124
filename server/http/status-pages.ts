import { statusCacheSeconds } from '#contract/status.ts';
import type { Context } from '#server/context.ts';
import type { Status } from '#server/features/status/index.ts';
import { statusFeed } from './status-feed.ts';
import { statusText } from './status-text.ts';

interface StatusPages {
  status: Pick<Status, 'getStatus' | 'listIncidents'>;
  productName: string;
  publicUrl: string;
  /** The same for every caller. */
  nobody(): Context;
}

/** The status as plain text, and the feed of incidents: for those who have no scripts. */
export function createStatusPages(parts: StatusPages) {
  const { status, productName, publicUrl, nobody } = parts;
  return [
    page('/status.txt', 'text/plain; charset=utf-8', async () =>
      statusText(await status.getStatus(nobody()), productName),
    ),
    page('/status.atom', 'application/atom+xml; charset=utf-8', async () => {
      const ctx = nobody();
      return statusFeed(await status.listIncidents(ctx), { productName, publicUrl, now: ctx.clock.now() });
    }),
  ];
}

function page(path: string, mediaType: string, write: () => Promise<string>) {
  return {
    path,
    method: 'GET' as const,
    async handle(): Promise<Response> {
      const headers = { 'content-type': mediaType, 'cache-control': `public, max-age=${statusCacheSeconds}` };
      return new Response(await write(), { headers });
    },
  };
}
