import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { hostedCredentialId, type SourceOf } from '#server/features/catalog/index.ts';
import { queueRun } from '#server/features/indexing/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import type { HostingDependencies } from './dependencies.ts';
import type { HostedRow } from './repository-store.ts';

type Part = Pick<HostedRow, 'id' | 'cloneUrl' | 'refKind' | 'refName' | 'folder'>;

/** Returns the source of a hosted repository's module, which is read with the credential that this feature opens. */
export function sourceOf({ id, cloneUrl, refKind, refName, folder }: Part): SourceOf<'git'> {
  return {
    kind: 'git',
    url: cloneUrl,
    seeds: [],
    maxPages: limits.pagesPerJobMax,
    ref: { kind: refKind, name: refName },
    ...(folder === '' ? {} : { folder }),
    credentialId: hostedCredentialId(id),
  };
}

/**
 * Queues a run in the caller's transaction, unless one is active; returns a function that announces it after the
 * commit.
 */
export async function queueRepository(
  tx: Transaction,
  ctx: Context,
  row: HostedRow,
  { notices }: Pick<HostingDependencies, 'notices'>,
): Promise<() => void> {
  const { workspace, slug, displayName, addedByUserId: startedByUserId } = row;
  const run = { workspace, slug, displayName, source: sourceOf(row), startedByUserId };
  const queued = await queueRun(tx, ctx, run).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'job-already-running') return undefined;
    throw error;
  });
  return () => {
    if (queued === undefined) return;
    notices.jobChanged(queued.job);
    notices.jobQueued();
  };
}
