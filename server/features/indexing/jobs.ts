import type { JobRun } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { isOperator } from '#server/features/accounts/index.ts';
import {
  dropUnservedSegment,
  findKnownModuleIds,
  findRunningJob,
  readableWorkspaces,
  requireMayChange,
  seesPathsOf,
} from '#server/features/catalog/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { cancelledFailure } from './failure.ts';
import { cancelWaitingJob, findJob, type JobRow, listCurrentJobRows, listJobRows, requestCancel } from './job-store.ts';
import { createNotices, type LibraryNotices } from './notices.ts';
import { presentJob } from './present.ts';
import { takeBackChanges } from './publish.ts';

/**
 * Returns the runs of the workspaces the actor can read, newest first, at most 100. With `withCurrent`, followed by
 * older runs that are the current state of their source: a failed source stays listed even after a hundred later runs
 * of others.
 */
export async function listJobs(ctx: Context, input: { withCurrent?: boolean } = {}): Promise<JobRun[]> {
  const workspaces = readableWorkspaces(ctx);
  const rows = await listJobRows(ctx.db.query, workspaces, limits.jobRunsListed);
  if (input.withCurrent !== true || rows.length < limits.jobRunsListed) return presentWithModules(ctx, rows);
  const listed = new Set(rows.map(({ id }) => id));
  const current = await listCurrentJobRows(ctx.db.query, workspaces, limits.jobRunsCurrentMax);
  const further = await presentWithModules(
    ctx,
    current.filter(({ id }) => !listed.has(id)),
  );
  return [...(await presentWithModules(ctx, rows)), ...further.filter(({ isModuleRemoved }) => !isModuleRemoved)];
}

/** Returns a run that the actor can see; a run of another workspace is reported as not found. */
export async function requireJob(ctx: Context, jobId: string): Promise<JobRow> {
  const row = await findJob(ctx.db.query, readableWorkspaces(ctx), jobId);
  if (row === undefined) throw new AppError('job-not-found');
  return row;
}

/** Returns one run, as `requireJob` finds it. */
export async function getJob(ctx: Context, input: { jobId: string }): Promise<JobRun> {
  const row = await requireJob(ctx, input.jobId);
  const [job] = await presentWithModules(ctx, [row]);
  if (job === undefined) throw new AppError('job-not-found');
  return job;
}

async function presentWithModules(ctx: Context, rows: JobRow[]): Promise<JobRun[]> {
  const moduleIds = rows.flatMap(({ moduleId }) => (moduleId === null ? [] : [moduleId]));
  const known = await findKnownModuleIds(ctx.db.query, [...new Set(moduleIds)]);
  const seesStarter = await isOperator(ctx);
  const viewing = { now: ctx.clock.now(), seesPaths: await seesPathsOf(ctx, rows), seesStarter };
  return rows.map((row) =>
    presentJob(row, { ...viewing, isModuleRemoved: row.moduleId === null || !known.has(row.moduleId) }),
  );
}

/**
 * Asks a run to stop; a run that no worker holds ends at once. Its status becomes FAILED with the code `cancelled`, and
 * its module's served version stays.
 */
export async function cancelJob(ctx: Context, input: { jobId: string }, notices: LibraryNotices): Promise<JobRun> {
  const row = await requireJob(ctx, input.jobId);
  await requireMayChange(ctx, row.workspace);
  const now = ctx.clock.now();
  const changed = await ctx.db.transaction(async (tx) => {
    if (row.workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    return cancelRun(tx, row.id, now);
  });
  if (changed === undefined) throw new AppError('job-finished');
  notices.jobChanged(changed);
  notices.cancelRequested(row.id);
  return presentJob(changed, { now, seesPaths: await seesPathsOf(ctx, [changed]) });
}

/**
 * Requests cancellation of a run; a run that no worker holds ends at once and its visible changes are reverted.
 * Undefined if it has already ended.
 */
async function cancelRun(tx: Transaction, jobId: string, now: number): Promise<JobRow | undefined> {
  const { code: errorCode, sentence: error } = cancelledFailure;
  const ended = await cancelWaitingJob(tx, jobId, { now, error, errorCode });
  if (ended === undefined) return requestCancel(tx, jobId, now);
  await takeBackChanges(tx, ended.moduleId, now);
  return ended;
}

/**
 * Requests cancellation of a module's run, in the transaction of the caller that ends its source; a run that no worker
 * holds ends at once. Readers are notified on commit. The module's served version stays.
 */
export async function cancelRunsOf(tx: Transaction, moduleId: string, now: number): Promise<void> {
  const running = await findRunningJob(tx, moduleId);
  if (running === undefined) return;
  const changed = await cancelRun(tx, running.id, now);
  if (changed === undefined) return;
  const notices = createNotices(tx, { now: () => now });
  notices.jobChanged(changed);
  notices.cancelRequested(changed.id);
}

/** Marks a segment as dropped unless it is served; the next sweep deletes its file. */
export async function dropSegment(ctx: Context, segmentId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction((tx) => dropUnservedSegment(tx, segmentId, now));
}

/** Ends a run, or asks its worker to end it. */
export async function endStrayRun(ctx: Context, jobId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction((tx) => cancelRun(tx, jobId, now));
}
