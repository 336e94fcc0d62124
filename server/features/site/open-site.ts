import { type AgentSurface, agentSurfaceEndpoints } from '#contract/agent-surface.ts';
import { flagNames, siteEndpoints } from '#contract/site.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { actingUser } from '../accounts/index.ts';
import { feature, serve } from '../feature.ts';

/** Opens the calls for pages about the installation as a whole, and for errors that pages report. */
export function openSite({ config, flags, errorReporter }: Platform, describeAgentSurface: () => AgentSurface) {
  let agentSurface: AgentSurface | undefined;
  return feature({
    name: 'site',
    verbs: { markdownOfPage },
    endpoints: [
      ...serve(agentSurfaceEndpoints, { getAgentSurface: async () => (agentSurface ??= describeAgentSurface()) }),
      ...serve(siteEndpoints, {
        getSite: async () => config.site,
        getFlags: async (ctx) => {
          const user = await actingUser(ctx);
          const subject = user && { userId: user.id, email: user.email };
          const read = await Promise.all(
            flagNames.map(async (name) => [name, await flags.isOn(name, subject)] as const),
          );
          return { isConnected: flags.isConnected(), flags: Object.fromEntries(read) as { teams: boolean } };
        },
        reportBrowserError: async (ctx, { name, message, stack, path }) => {
          const user = await actingUser(ctx);
          errorReporter.report(Object.assign(new Error(message), { name, stack }), {
            from: 'browser',
            requestId: ctx.requestId,
            path,
            person: user && { userId: user.id, email: user.email },
          });
          return {};
        },
      }),
    ],
  });
}

/**
 * Returns one of our pages as Markdown. The extractor is imported lazily: most servers never need it in this thread.
 */
async function markdownOfPage(html: string, url: string): Promise<{ markdown: string; tokens: number }> {
  const extractor = await import('#server/ingest/extract/markdown-of-page.ts');
  return extractor.markdownOfPage(html, url);
}
