import type { Context } from '#server/context.ts';
import type { Queries } from '#server/platform/db/database.ts';
import type { JobStatus, Row } from '#server/platform/db/schema.ts';
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

export const runningStatuses: JobStatus[] = ['QUEUED', 'CRAWLING', 'INDEXING'];

/** The run of a module that has not ended yet. */
export async function findRunningJob(db: Queries, moduleId: string): Promise<Row<'jobRuns'> | undefined> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('moduleId', '=', moduleId)
    .where('status', 'in', runningStatuses)
    .executeTakeFirst();
}

/** The newest run of a module that has ended: what a new run may take up again when it failed. */
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
