import type { OutputOf } from '#contract/endpoint.ts';
import type { hostingEndpoints } from '#contract/hosting.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import { askAsPerson } from './ask-host.ts';
import { findConnection } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { requireCodeHost } from './person-token.ts';
import { listHosted, listNames } from './repository-store.ts';
import { enterWorkspace, presentConnection, presentHosted } from './workspace.ts';

/** Returns the caller's connection, and the workspace's repositories. Does not contact the host. */
export async function getHosting(
  ctx: Context,
  input: { teamId?: string | undefined },
  deps: HostingDependencies,
): Promise<OutputOf<typeof hostingEndpoints.getHosting>> {
  const { userId, workspace } = await enterWorkspace(ctx, input.teamId, 'sources.read');
  const connection = await findConnection(ctx.db.query, userId);
  const rows = await listHosted(ctx.db.query, workspace);
  const names = await listNames(ctx.db.query, [...new Set(rows.map((row) => row.addedByUserId))]);
  return {
    methods: deps.codeHost?.methods ?? [],
    connection: connection === undefined ? null : presentConnection(connection, deps),
    repositories: rows.map((row) => presentHosted(row, { viewerId: userId, names })),
  };
}

/**
 * Returns the accounts on which the App is installed, as far as the caller can see them; none for an OAuth connection.
 */
export async function listInstallations(
  ctx: Context,
  deps: HostingDependencies,
): Promise<OutputOf<typeof hostingEndpoints.listInstallations>> {
  const userId = requirePerson(ctx);
  const installUrl = requireCodeHost(deps).installUrl ?? null;
  const installations = await askAsPerson(ctx, userId, deps, async ({ host, token, connection }) =>
    connection.method === 'app' ? host.listInstallations(token) : [],
  );
  return { installations, installUrl };
}
