import type { JobRun } from '#contract/library.ts';
import { limits } from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { cancelledFailure } from './failure.ts';
import { cancelWaitingJob, findJob, type JobRow, listJobRows, requestCancel } from './job-store.ts';
import { findKnownModuleIds } from './module-store.ts';
import type { LibraryNotices } from './notices.ts';
import { readableWorkspaces, requireMayChange } from './policy.ts';
import { presentJob } from './present.ts';

/** Runs of the workspaces the actor reads, newest first, at most 100. */
export async function listJobs(ctx: Context): Promise<JobRun[]> {
  const rows = await listJobRows(ctx.db.query, readableWorkspaces(ctx), limits.jobRunsListed);
  return presentWithModules(ctx, rows);
}

/** One run; a run of another workspace looks like one that does not exist. */
export async function getJob(ctx: Context, input: { jobId: string }): Promise<JobRun> {
  const row = await findJob(ctx.db.query, readableWorkspaces(ctx), input.jobId);
  if (row === undefined) throw new AppError('job-not-found');
  const [job] = await presentWithModules(ctx, [row]);
  if (job === undefined) throw new AppError('job-not-found');
  return job;
}

async function presentWithModules(ctx: Context, rows: JobRow[]): Promise<JobRun[]> {
  const moduleIds = rows.flatMap(({ moduleId }) => (moduleId === null ? [] : [moduleId]));
  const known = await findKnownModuleIds(ctx.db.query, [...new Set(moduleIds)]);
  const now = ctx.clock.now();
  return rows.map((row) => presentJob(row, now, row.moduleId === null || !known.has(row.moduleId)));
}

/**
 * Asks a run to stop; one that nobody works on ends at once. It ends FAILED with the word cancelled, and what its module
 * served before stays.
 */
export async function cancelJob(ctx: Context, input: { jobId: string }, notices: LibraryNotices): Promise<JobRun> {
  const row = await findJob(ctx.db.query, readableWorkspaces(ctx), input.jobId);
  if (row === undefined) throw new AppError('job-not-found');
  await requireMayChange(ctx, row.workspace);
  const now = ctx.clock.now();
  const { code: errorCode, sentence: error } = cancelledFailure;
  const changed = await ctx.db.transaction(async (tx) => {
    if (row.workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    return (await cancelWaitingJob(tx, row.id, { now, error, errorCode })) ?? (await requestCancel(tx, row.id, now));
  });
  if (changed === undefined) throw new AppError('job-finished');
  notices.jobChanged(changed);
  notices.cancelRequested(row.id);
  return presentJob(changed, now);
}
