import { type PauseReason, pauseReasons } from '#contract/hosting.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { moveSource } from '#server/features/indexing/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { CodeHostError, type HostRepository } from '#server/platform/code-host/code-host.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { askAsPerson, tellingFaults } from './ask-host.ts';
import type { HostingDependencies } from './dependencies.ts';
import { pauseRepositories } from './pause-repositories.ts';
import { accessTokenOf, requireCodeHost } from './person-token.ts';
import { changeHosted, findHosted, type HostedRow } from './repository-store.ts';

type Ctx = Pick<Context, 'db' | 'clock' | 'log'>;

/** How long the host's confirmation that a user can read a repository is valid. */
const vouchedForMs = 15 * 60_000;

/**
 * Opens the credential for a run of `workspace`: the App's token for this repository, or that of the user who vouches
 * for it. Throws if the repository is paused, in another workspace, or at another address; pauses it if the user can no
 * longer read it at the host, which is checked by every run and every quarter of an hour.
 */
export async function openHostedCredential(
  ctx: Ctx,
  use: { hostedId: string; workspace: Workspace; url: string; readsFiles: boolean },
  deps: HostingDependencies,
): Promise<{ username: string; password: string }> {
  const host = requireCodeHost(deps);
  const row = await findHosted(ctx.db.query, use.workspace, use.hostedId);
  if (row === undefined) throw new AppError('hosted-repository-not-found');
  if (row.cloneUrl !== use.url) {
    // A run that began before the repository moved restored the old address when it ended.
    await ctx.db.transaction((tx) => moveSource(tx, row.moduleId, row.cloneUrl));
    throw new AppError('module-changed');
  }
  requireActive(row);
  // Another account may have the old name now: always ask the host before reading files.
  if (use.readsFiles || ctx.clock.now() - row.checkedAt > vouchedForMs) {
    const { cloneUrl } = await checkReadable(ctx, row, deps);
    if (cloneUrl !== use.url) throw new AppError('module-changed');
  }
  return host.gitCredential(await readingToken(ctx, row, deps));
}

/** Throws the reason if a repository is paused. */
export function requireActive(row: HostedRow): void {
  if (row.pausedReason !== null) throw paused(row, row.pausedReason);
}

function paused(row: HostedRow, reason: PauseReason): AppError {
  return new AppError('repository-paused', { values: { repository: row.fullName, reason: pauseReasons[reason] } });
}

/**
 * Asks the host whether the vouching user can still read the repository, and for its current name. If not, pauses the
 * repository and throws `repository-paused`.
 */
export async function checkReadable(ctx: Ctx, row: HostedRow, deps: HostingDependencies): Promise<HostRepository> {
  try {
    const named = { repositoryId: row.repositoryId };
    const repository = await askAsPerson(ctx, row.addedByUserId, deps, ({ host, token }) =>
      host.findRepository(token, named),
    );
    await noteRepository(ctx, row, repository);
    return repository;
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === undefined) throw error;
    await pause(ctx, row, reason);
    throw paused(row, reason);
  }
}

function reasonOf(error: unknown): PauseReason | undefined {
  if (error instanceof CodeHostError && error.fault === 'not-found') return 'access-lost';
  if (!(error instanceof AppError)) return undefined;
  // A connection that the host rejects has already paused its repositories; one sealed under another secret pauses
  // nothing.
  return error.code === 'hosting-not-connected' ? 'disconnected' : undefined;
}

async function pause(ctx: Ctx, row: HostedRow, reason: PauseReason): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction((tx) => pauseRepositories(tx, [row], { reason, now }));
}

/** Stores the host's data: a renamed or moved repository is read at its new address from now on. */
async function noteRepository(ctx: Ctx, row: HostedRow, said: HostRepository): Promise<void> {
  const { fullName, url, cloneUrl } = said;
  const now = ctx.clock.now();
  const isPrivate = said.isPrivate ? 1 : 0;
  if (row.cloneUrl === cloneUrl && row.isPrivate === isPrivate) {
    await changeHosted(ctx.db.query, row.id, { checkedAt: now });
    return;
  }
  await ctx.db.transaction(async (tx) => {
    await changeHosted(tx, row.id, { fullName, url, cloneUrl, isPrivate, checkedAt: now, updatedAt: now });
    if (row.cloneUrl !== cloneUrl) await moveSource(tx, row.moduleId, cloneUrl);
    announceChange(tx, { collection: 'hosting', audience: row.workspace });
  });
}

/** Returns a token that reads this repository: the App's if it is installed, else the user's. */
export async function readingToken(ctx: Ctx, row: HostedRow, deps: HostingDependencies): Promise<string> {
  const { installationId } = row;
  if (installationId === null) {
    return tellingFaults(ctx, async () => (await accessTokenOf(ctx, row.addedByUserId, deps)).token);
  }
  try {
    return await requireCodeHost(deps).installationToken(installationId, row.repositoryId);
  } catch (error) {
    const isGone = error instanceof CodeHostError && ['not-found', 'refused', 'forbidden'].includes(error.fault);
    if (!isGone) return tellingFaults(ctx, () => Promise.reject(error));
    await pause(ctx, row, 'installation-removed');
    throw paused(row, 'installation-removed');
  }
}
