import type { Context } from '#server/context.ts';
import { dropUnservedSegment, findRunningJob } from '#server/features/catalog/index.ts';
import type { Transaction } from '#server/platform/db/database.ts';
import { cancelledFailure } from './failure.ts';
import { cancelWaitingJob, type JobRow, requestCancel } from './job-store.ts';
import { createNotices } from './notices.ts';
import { takeBackChanges } from './publish.ts';

/** Asks a run to stop; one that no one works on ends at once, with what it has shown. Undefined when it has ended. */
export async function cancelRun(tx: Transaction, jobId: string, now: number): Promise<JobRow | undefined> {
  const { code: errorCode, sentence: error } = cancelledFailure;
  const ended = await cancelWaitingJob(tx, jobId, { now, error, errorCode });
  if (ended === undefined) return requestCancel(tx, jobId, now);
  await takeBackChanges(tx, ended.moduleId, now);
  return ended;
}

/**
 * Asks the run of a module to stop, in the transaction of the person who ends what it reads; one that no one works on ends at
 * once. Readers hear of it when the transaction has committed. What the module serves stays.
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

/** Marks a segment that no module serves as dropped: its file goes with the next sweep. Nothing when it is served. */
export async function dropSegment(ctx: Context, segmentId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction((tx) => dropUnservedSegment(tx, segmentId, now));
}

/** Ends a run, or asks the person who carries it out to end it. */
export async function endStrayRun(ctx: Context, jobId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction((tx) => cancelRun(tx, jobId, now));
}
