import type { Context } from '#server/context.ts';
import { findLastEndedJob, findRunningJob } from './job-store.ts';
import type { ReadableModule } from './shelf-types.ts';

/** Whether a module is being read again now, and when its last run failed, if it was the last that did. */
export interface RefreshState {
  isRunning: boolean;
  failedAt: number | null;
}

/** The refresh state of a module that the actor may read. */
export async function refreshStateOf(ctx: Context, module: ReadableModule): Promise<RefreshState> {
  const running = await findRunningJob(ctx.db.query, module.rowId);
  const ended = await findLastEndedJob(ctx.db.query, module.rowId);
  return { isRunning: running !== undefined, failedAt: ended?.status === 'FAILED' ? ended.endTime : null };
}
