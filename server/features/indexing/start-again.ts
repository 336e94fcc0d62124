import type { JobRun } from '#contract/library.ts';
import { AppError, sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import {
  findLastEndedJob,
  findReadableModule,
  runningStatuses,
  type Source,
  seesPathsOf,
  sourceIn,
  sourceOfRun,
  visibilityOf,
  workspaceForWriting,
} from '#server/features/catalog/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { requireJob } from './jobs.ts';
import type { LibraryNotices } from './notices.ts';
import { presentJob } from './present.ts';
import { queueRun } from './queue-run.ts';

/** Queues a finished run again: the same source, limits and credential. */
export async function retryJob(ctx: Context, input: { jobId: string }, notices: LibraryNotices): Promise<JobRun> {
  requirePerson(ctx);
  const row = await requireJob(ctx, input.jobId);
  if (runningStatuses.includes(row.status)) {
    throw new AppError('job-already-running', { values: { module: row.slug } });
  }
  const { workspace, slug, displayName } = row;
  return startAgain(ctx, { workspace, slug, displayName, source: sourceOfRun(row) ?? lost(slug) }, notices);
}

/** Reads a module's source again: completely, or only the pages that failed in the last run. */
export async function refreshModule(
  ctx: Context,
  input: { moduleId: string; visibility?: 'public' | 'private'; teamId?: string; onlyFailed?: boolean },
  notices: LibraryNotices,
): Promise<JobRun> {
  requirePerson(ctx);
  const acting = await actIn(ctx, input.teamId);
  const { id, workspace, slug, displayName, source: kept } = await findReadableModule(acting, input);
  // If the module's row is damaged, use the source of its last run.
  const source = sourceIn(kept) ?? sourceOfRun(await findLastEndedJob(acting.db.query, id)) ?? lost(slug);
  const isRetry = input.onlyFailed === true;
  return startAgain(acting, { workspace, slug, displayName, source, isRetry }, notices);
}

function lost(module: string): never {
  throw sourceRefused(
    `The row of "${module}" is damaged, and no run knows its address. Index the address again with the id "${module}".`,
  );
}

async function startAgain(
  ctx: Context,
  run: { workspace: Workspace; slug: string; displayName: string; source: Source; isRetry?: boolean },
  notices: LibraryNotices,
): Promise<JobRun> {
  const startedByUserId = requirePerson(ctx);
  // Only the operator may re-run the public index and folders of this machine, no matter who can see the run.
  await workspaceForWriting(ctx, visibilityOf(run.workspace), run.source.kind);
  const { job } = await ctx.db.transaction(async (tx) => {
    if (run.workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    return queueRun(tx, ctx, { ...run, startedByUserId });
  });
  notices.jobChanged(job);
  notices.jobQueued();
  return presentJob(job, { now: ctx.clock.now(), seesPaths: await seesPathsOf(ctx, [job]) });
}
