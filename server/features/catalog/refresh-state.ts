import type { Context } from '#server/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { JobStatus, Row } from '#server/platform/db/schema.ts';
import type { ReadableModule } from './shelf-types.ts';

/** Whether a module is being refreshed, and when its last run ended, if it failed. */
export interface RefreshState {
  isRunning: boolean;
  failedAt: number | null;
}

/** Returns the refresh state of a module that the actor can read. */
export async function refreshStateOf(ctx: Context, module: ReadableModule): Promise<RefreshState> {
  const running = await findRunningJob(ctx.db.query, module.rowId);
  const ended = await findLastEndedJob(ctx.db.query, module.rowId);
  return { isRunning: running !== undefined, failedAt: ended?.status === 'FAILED' ? ended.endTime : null };
}

export const runningStatuses: JobStatus[] = ['QUEUED', 'CRAWLING', 'INDEXING'];

/** Returns a module's unfinished run. */
export async function findRunningJob(db: Queries, moduleId: string): Promise<Row<'jobRuns'> | undefined> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('moduleId', '=', moduleId)
    .where('status', 'in', runningStatuses)
    .executeTakeFirst();
}

/** Returns a module's newest finished run; if it failed, a new run may resume it. */
export async function findLastEndedJob(db: Queries, moduleId: string): Promise<Row<'jobRuns'> | undefined> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('moduleId', '=', moduleId)
    .where('status', 'in', ['COMPLETE', 'FAILED'])
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}
