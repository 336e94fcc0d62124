import type { OutputOf, ParsedInputOf } from '#contract/endpoint.ts';
import type { hostingEndpoints } from '#contract/hosting.ts';
import * as limits from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import type { HostList, HostRepository } from '#server/platform/code-host/code-host.ts';
import { askAsPerson } from './ask-host.ts';
import { findConnection } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { requireCodeHost } from './person-token.ts';
import { repositoryNameOf } from './repository-name.ts';
import { listHosted, listNames } from './repository-store.ts';
import { type Acting, enterWorkspace, presentAvailable, presentConnection, presentHosted } from './workspace.ts';

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

/**
 * Returns a page of the repositories that the caller can read at the host, last pushed first; cached for five minutes.
 */
export async function listRepositories(
  ctx: Context,
  input: ParsedInputOf<typeof hostingEndpoints.listRepositories>,
  deps: HostingDependencies,
): Promise<OutputOf<typeof hostingEndpoints.listRepositories>> {
  const where = await enterWorkspace(ctx, input.teamId, 'sources.read');
  const { found, isCut } = await readable(ctx, where.userId, input.isFresh === true, deps);
  const words = (input.query ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = found.filter(({ fullName, description }) => {
    const text = `${fullName} ${description ?? ''}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  const size = limits.hostedRepositoriesListed;
  const part = wanted.slice((input.page - 1) * size, input.page * size);
  const added = await addedIds(ctx, where);
  return {
    repositories: part.map((one) => presentAvailable(one, added)),
    page: input.page,
    nextPage: wanted.length > input.page * size ? input.page + 1 : null,
    total: wanted.length,
    isCut,
  };
}

async function readable(
  ctx: Context,
  userId: string,
  isFresh: boolean,
  deps: HostingDependencies,
): Promise<HostList<HostRepository>> {
  return askAsPerson(ctx, userId, deps, async ({ host, token, connection }) => {
    // Each connection has its own list, even for the same user.
    const key = `${userId}:${connection.accountId}:${connection.connectedAt}`;
    const kept = isFresh ? undefined : deps.lists.get(key, ctx.clock.elapsed());
    if (kept !== undefined) return kept;
    const list = await host.listRepositories(connection.method, token, limits.hostedRepositoriesRead);
    deps.lists.put(key, ctx.clock.elapsed(), list);
    return list;
  });
}

async function addedIds(ctx: Context, { workspace }: Acting): Promise<Set<string>> {
  return new Set((await listHosted(ctx.db.query, workspace)).map(({ repositoryId }) => repositoryId));
}

/** Returns the branches and tags of a repository that the caller can read, at most 100 of each. */
export async function listBranches(
  ctx: Context,
  input: ParsedInputOf<typeof hostingEndpoints.listBranches>,
  deps: HostingDependencies,
): Promise<OutputOf<typeof hostingEndpoints.listBranches>> {
  const where = await enterWorkspace(ctx, input.teamId, 'sources.read');
  const ask = async ({ host, token }: { host: NonNullable<HostingDependencies['codeHost']>; token: string }) => {
    const repository = await host.findRepository(token, { fullName: repositoryNameOf(input.repository, host) });
    const wanted = { query: input.query ?? '', max: limits.hostedRefsListed };
    const [branches, tags] = await Promise.all([
      host.listRefs(token, repository.fullName, { kind: 'branch', ...wanted }),
      host.listRefs(token, repository.fullName, { kind: 'tag', ...wanted }),
    ]);
    return { repository, branches, tags };
  };
  const { repository, branches, tags } = await askAsPerson(ctx, where.userId, deps, ask, input.repository);
  return {
    repository: presentAvailable(repository, await addedIds(ctx, where)),
    branches: branches.found,
    tags: tags.found,
    isCut: branches.isCut || tags.isCut,
  };
}
