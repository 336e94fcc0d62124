import type { Context } from '#server/context.ts';
import { dropUnservedSegment } from '#server/features/catalog/index.ts';
import { cancelRun } from './cancel-runs-of.ts';

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
