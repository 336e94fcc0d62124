import { randomUUID } from 'node:crypto';
import type { ParsedInputOf } from '#contract/endpoint.ts';
import type { HostedRepository, hostingEndpoints, RepositoryRef } from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { confirmSession } from '#server/features/accounts/index.ts';
import { type Indexing, queueRun } from '#server/features/indexing/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { CodeHost, HostRepository } from '#server/platform/code-host/code-host.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import type { NewRow } from '#server/platform/db/schema.ts';
import { askAsPerson } from './ask-host.ts';
import type { ConnectionRow } from './connection-store.ts';
import type { HostingDependencies } from './dependencies.ts';
import { sourceOf } from './queue-repository.ts';
import { countRepository } from './refresh-stats.ts';
import { folderOf, moduleIdOf, repositoryNameOf } from './repository-name.ts';
import { insertHosted } from './repository-store.ts';
import { endRevocations } from './revocations.ts';
import { askForEvents } from './webhooks.ts';
import { type Acting, answerHosted, enterWorkspace, requireHosted } from './workspace.ts';

type AddRepositoryInput = ParsedInputOf<typeof hostingEndpoints.addRepository>;

/** The host's data about the requested repository. */
interface Found {
  repository: HostRepository;
  ref: RepositoryRef;
  reader: Pick<NewRow<'hostedRepositories'>, 'readerLogin' | 'installationId'>;
}

/**
 * Adds a repository, or a folder of it, to the workspace's index, and queues its first run. The caller must be able to
 * read it at the host, and vouches for it from then on; it is read by the App if that is installed, else over the
 * caller's connection. The same part twice is refused with `repository-already-added`.
 */
export async function addRepository(
  ctx: Context,
  input: AddRepositoryInput,
  deps: HostingDependencies,
): Promise<HostedRepository> {
  const where = await enterWorkspace(ctx, input.teamId, 'sources.write');
  const folder = folderOf(input.folder);
  const id = randomUUID();
  const found = await askAsPerson(ctx, where.userId, deps, (asked) => findAsPerson(asked, input), input.repository);
  await insert(ctx, where, { id, folder, input, found }, deps);
  await askForEvents(ctx, where, id, deps);
  await countRepository(ctx, where.workspace, id, deps);
  return answerHosted(ctx, where, id);
}

/** Returns the repository, its branch or tag, and its reader; throws a CodeHostError if the user cannot read it. */
async function findAsPerson(
  { host, token, connection }: { host: CodeHost; token: string; connection: ConnectionRow },
  input: Pick<AddRepositoryInput, 'repository' | 'ref'>,
): Promise<Found> {
  const repository = await host.findRepository(token, { fullName: repositoryNameOf(input.repository, host) });
  const { fullName, defaultBranch } = repository;
  const ref = input.ref ?? { kind: 'branch', name: defaultBranch };
  if (!(await host.hasRef(token, fullName, ref))) {
    throw new AppError('hosting-ref-not-found', { values: { repository: fullName, ...ref } });
  }
  return { repository, ref, reader: await readerOf(host, fullName, connection) };
}

/**
 * Returns the App if it is installed: its token covers only this repository, and stays valid when the user's token
 * ends.
 */
export async function readerOf(host: CodeHost, fullName: string, connection: ConnectionRow): Promise<Found['reader']> {
  const installation = await host.findInstallation(fullName);
  return installation === undefined
    ? { readerLogin: connection.login, installationId: null }
    : { readerLogin: installation.accountLogin, installationId: installation.installationId };
}

async function insert(
  ctx: Context,
  { userId, workspace, acting }: Acting,
  wanted: { id: string; folder: string; input: AddRepositoryInput; found: Found },
  deps: HostingDependencies,
): Promise<void> {
  const { id, folder, input, found } = wanted;
  const { repository, ref, reader } = found;
  const { repositoryId, fullName, url, cloneUrl, defaultBranch } = repository;
  const host = { url: cloneUrl.slice(0, -`/${fullName}.git`.length) };
  const slug = input.moduleId ?? moduleIdOf({ host, fullName, defaultBranch, ref, folder });
  const displayName = input.displayName ?? nameOf(fullName, { ref, folder, defaultBranch });
  const refuse = () => new AppError('repository-already-added', { values: { repository: fullName } });
  const source = sourceOf({ id, cloneUrl, refKind: ref.kind, refName: ref.name, folder });
  const now = ctx.clock.now();
  const job = await ctx.db.transaction(async (tx) => {
    // The account may have been disabled while waiting for the host.
    await confirmSession(tx, ctx);
    await confirmRight(tx, acting, 'sources.write');
    const queued = await queueRun(tx, ctx, {
      ...{ workspace, slug, displayName, source, startedByUserId: userId },
      // Only a row created in this transaction has this source.
      settle(module) {
        if (module.source !== JSON.stringify(source)) throw refuse();
        return source;
      },
    });
    const isNew = await insertHosted(tx, {
      ...{ id, moduleId: queued.module.id, repositoryId, fullName, url, cloneUrl, folder, ...reader },
      isPrivate: repository.isPrivate ? 1 : 0,
      ...{ refKind: ref.kind, refName: ref.name, addedByUserId: userId },
      ...{ pausedReason: null, pausedAt: null, checkedAt: now, webhookId: null, stats: null },
      ...{ createdAt: now, updatedAt: now },
    });
    if (!isNew) throw refuse();
    await recordAudit(tx, now, {
      ...{ actorUserId: userId, action: 'repository.add', entityId: queued.module.id },
      detail: { moduleId: slug, repository: fullName, ref: ref.name, folder },
      ...auditTeamOf(workspace),
    });
    announceChange(tx, { collection: 'hosting', audience: workspace });
    return queued.job;
  });
  deps.notices.jobChanged(job);
  deps.notices.jobQueued();
}

function nameOf(
  fullName: string,
  { ref, folder, defaultBranch }: { ref: RepositoryRef; folder: string; defaultBranch: string },
): string {
  const isDefault = ref.kind === 'branch' && ref.name === defaultBranch;
  return `${fullName}${isDefault ? '' : ` ${ref.name}`}${folder === '' ? '' : `: ${folder}`}`.slice(0, 200);
}

/**
 * Removes a repository and its module: searches no longer find it once this returns. The host's webhook is deleted with
 * the last workspace that uses it, over the connection of the user who added it.
 */
export async function removeRepository(
  ctx: Context,
  input: { id: string; teamId?: string | undefined },
  deps: HostingDependencies & Pick<Indexing, 'removeModule'>,
): Promise<{ id: string }> {
  const { workspace, acting } = await enterWorkspace(ctx, input.teamId, 'sources.write');
  const row = await requireHosted(ctx, workspace, input.id);
  await deps.removeModule(acting, { moduleId: row.slug, visibility: 'private' });
  announceChange(ctx.db, { collection: 'hosting', audience: workspace });
  deps.background.run(
    'deleting the webhook of a removed repository',
    async () => void (await endRevocations(ctx, deps)),
  );
  return { id: row.id };
}
