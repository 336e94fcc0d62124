import { callables } from '#contract/callables.ts';
import { hostingEndpoints } from '#contract/hosting.ts';
import {
  addRepository,
  connectGithub,
  disconnectGithub,
  getHosting,
  type HostingDependencies,
  listBranches,
  listInstallations,
  listRepositories,
  refreshRepositoryStats,
  removeRepository,
  resumeRepository,
} from '#server/features/hosting/index.ts';
import { type Call, call } from './call-table.ts';
import { type CallableEntry, tie } from './tie-callable.ts';

/** The connection to the code host and the repositories of a workspace. */
export function hostingCalls({ hosting }: { hosting: HostingDependencies }): Call[] {
  return [
    call(hostingEndpoints.getHosting, (ctx, input) => getHosting(ctx, input, hosting)),
    call(hostingEndpoints.connectGithub, (ctx, input) => connectGithub(ctx, input, hosting)),
    call(hostingEndpoints.disconnectGithub, (ctx) => disconnectGithub(ctx, hosting)),
    call(hostingEndpoints.listInstallations, (ctx) => listInstallations(ctx, hosting)),
    call(hostingEndpoints.listRepositories, (ctx, input) => listRepositories(ctx, input, hosting)),
    call(hostingEndpoints.listBranches, (ctx, input) => listBranches(ctx, input, hosting)),
    call(hostingEndpoints.addRepository, async (ctx, input) => ({
      repository: await addRepository(ctx, input, hosting),
    })),
    call(hostingEndpoints.removeRepository, (ctx, input) => removeRepository(ctx, input, hosting)),
    call(hostingEndpoints.refreshRepositoryStats, async (ctx, input) => ({
      repository: await refreshRepositoryStats(ctx, input, hosting),
    })),
    call(hostingEndpoints.resumeRepository, async (ctx, input) => ({
      repository: await resumeRepository(ctx, input, hosting),
    })),
  ];
}

/** The same verbs under the names that the specification gives them. */
export function hostingCallables({ hosting }: { hosting: HostingDependencies }): CallableEntry[] {
  return [
    tie(callables.startGithubOAuth, (ctx, input) => connectGithub(ctx, input, hosting)),
    tie(callables.listRepositories, (ctx, input) => listRepositories(ctx, input, hosting)),
    tie(callables.listBranches, (ctx, input) => listBranches(ctx, input, hosting)),
    tie(callables.addRepository, async (ctx, input) => ({ repository: await addRepository(ctx, input, hosting) })),
    tie(callables.removeRepository, (ctx, input) => removeRepository(ctx, input, hosting)),
    tie(callables.refreshRepositoryStats, async (ctx, input) => ({
      repository: await refreshRepositoryStats(ctx, input, hosting),
    })),
  ];
}
