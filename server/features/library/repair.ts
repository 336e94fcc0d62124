import type { Context } from '#server/context.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { findOrphans } from './check-library.ts';
import { cancelledFailure } from './failure.ts';
import { cancelWaitingJob, requestCancel } from './job-store.ts';
import { dropUnservedSegment } from './module-store.ts';

/**
 * Deletes blobs that nothing refers to. Safe at any time and beside other processes: keys are listed before the rows
 * that could refer to them are read, and what a run under way may have written is left alone.
 */
export async function deleteOrphans(ctx: Context, blobs: Blobs): Promise<string[]> {
  const orphans = await findOrphans(ctx, blobs);
  for (const key of orphans) await blobs.delete(key);
  return orphans;
}

/** Marks a segment that no module serves as dropped: its file goes with the next sweep. Nothing when it is served. */
export async function dropSegment(ctx: Context, segmentId: string): Promise<void> {
  const now = ctx.clock.now();
  await ctx.db.transaction((tx) => dropUnservedSegment(tx, segmentId, now));
}

/** Ends a run, or asks whoever carries it out to end it. */
export async function endStrayRun(ctx: Context, jobId: string): Promise<void> {
  const now = ctx.clock.now();
  const { code: errorCode, sentence: error } = cancelledFailure;
  await ctx.db.transaction(async (tx) => {
    const ended = await cancelWaitingJob(tx, jobId, { now, error, errorCode });
    if (ended === undefined) await requestCancel(tx, jobId, now);
  });
}
