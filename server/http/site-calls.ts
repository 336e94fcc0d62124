import { type AgentSurface, agentSurfaceEndpoints } from '#contract/agent-surface.ts';
import { flagNames, type Site, siteEndpoints } from '#contract/site.ts';
import { actingUser } from '#server/features/accounts/index.ts';
import type { ErrorReporter } from '#server/platform/error-reports/error-reporter.ts';
import type { Flags } from '#server/platform/flags/flags.ts';
import { type Call, call } from './call-table.ts';

export interface SiteCallDependencies {
  site: Site;
  flags: Flags;
  errorReporter: ErrorReporter;
  agentSurface: AgentSurface;
}

/** What pages ask about the installation as a whole, and their own faults. */
export function siteCalls({ site, flags, errorReporter, agentSurface }: SiteCallDependencies): Call[] {
  return [
    call(siteEndpoints.getSite, async () => site),
    call(agentSurfaceEndpoints.getAgentSurface, async () => agentSurface),
    call(siteEndpoints.getFlags, async (ctx) => {
      const user = await actingUser(ctx);
      const subject = user && { userId: user.id, email: user.email };
      const read = await Promise.all(flagNames.map(async (name) => [name, await flags.isOn(name, subject)] as const));
      return { isConnected: flags.isConnected(), flags: Object.fromEntries(read) as { teams: boolean } };
    }),
    call(siteEndpoints.reportBrowserError, async (ctx, { name, message, stack, path }) => {
      const user = await actingUser(ctx);
      errorReporter.report(Object.assign(new Error(message), { name, stack }), {
        from: 'browser',
        requestId: ctx.requestId,
        path,
        person: user && { userId: user.id, email: user.email },
      });
      return {};
    }),
  ];
}
