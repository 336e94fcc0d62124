import type { Context } from '#server/context.ts';
import { dropUnservedSegment, findRunningJob } from '#server/features/catalog/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { cancelledFailure } from './failure.ts';
import { cancelWaitingJob, type JobRow, requestCancel } from './job-store.ts';
import { createNotices } from './notices.ts';
import { takeBackChanges } from './publish.ts';

/**
 * Requests cancellation of a run; a run that no worker holds ends at once and its visible changes are reverted.
 * Undefined if it has already ended.
 */
export async function cancelRun(tx: Transaction, jobId: string, now: number): Promise<JobRow | undefined> {
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
