import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { JobStatus, NewRow, Row, SourceKind, Workspace } from '#server/platform/db/schema.ts';

export type JobRow = Row<'jobRuns'>;
export const runningStatuses: JobStatus[] = ['QUEUED', 'CRAWLING', 'INDEXING'];
const runsLookedAtMax = 1_000;

export async function insertJob(db: Queries, row: NewRow<'jobRuns'>): Promise<JobRow> {
  return db.insertInto('jobRuns').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function findJob(db: Queries, workspaces: Workspace[], jobId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('id', '=', jobId)
    .where('workspace', 'in', workspaces)
    .executeTakeFirst();
}

export async function listJobRows(db: Queries, workspaces: Workspace[], count: number): Promise<JobRow[]> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('workspace', 'in', workspaces)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(count)
    .execute();
}

/** Newest first; what is far back is not looked at. */
export async function listRunsOfKind(db: Queries, workspace: Workspace, kind: SourceKind): Promise<JobRow[]> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('workspace', '=', workspace)
    .where('kind', '=', kind)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(runsLookedAtMax)
    .execute();
}

/** The run of a module that has not ended yet. */
export async function findRunningJob(db: Queries, moduleId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('moduleId', '=', moduleId)
    .where('status', 'in', runningStatuses)
    .executeTakeFirst();
}

/** All runs that have not ended, of every workspace. */
export async function listUnendedJobs(db: Queries): Promise<Pick<JobRow, 'id' | 'slug' | 'moduleId'>[]> {
  return db.selectFrom('jobRuns').select(['id', 'slug', 'moduleId']).where('status', 'in', runningStatuses).execute();
}

/** The newest run of a module that has ended: what a new run may take up again when it failed. */
export async function findLastEndedJob(db: Queries, moduleId: string): Promise<JobRow | undefined> {
  return db
    .selectFrom('jobRuns')
    .selectAll()
    .where('moduleId', '=', moduleId)
    .where('status', 'in', ['COMPLETE', 'FAILED'])
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Asks a run that has not ended to stop; undefined when it has ended. */
export async function requestCancel(db: Queries, jobId: string, now: number): Promise<JobRow | undefined> {
  return db
    .updateTable('jobRuns')
    .set({ cancelRequestedAt: now, updatedAt: now })
    .where('id', '=', jobId)
    .where('status', 'in', runningStatuses)
    .returningAll()
    .executeTakeFirst();
}

/** Ends a run that nobody works on; undefined when somebody does, or when it has ended. */
export async function cancelWaitingJob(
  db: Queries,
  jobId: string,
  change: { now: number; error: string; errorCode: string },
): Promise<JobRow | undefined> {
  const { now, error, errorCode } = change;
  return db
    .updateTable('jobRuns')
    .set({ status: 'FAILED', error, errorCode, cancelRequestedAt: now, endTime: now, updatedAt: now })
    .where('id', '=', jobId)
    .where('status', 'in', runningStatuses)
    .where('leaseOwner', 'is', null)
    .returningAll()
    .executeTakeFirst();
}

/** Takes the oldest waiting run, or one whose lease has run out. At most one caller gets it. */
export async function leaseJob(
  db: Queries,
  lease: { owner: string; now: number; until: number; except: string[] },
): Promise<JobRow | undefined> {
  const passedOver = [...lease.except];
  for (;;) {
    const candidate = await findWaitingJob(db, lease.now, passedOver);
    if (candidate === undefined) return undefined;
    const taken = await db
      .updateTable('jobRuns')
      .set((expression) => ({
        leaseOwner: lease.owner,
        leaseUntil: lease.until,
        attempt: expression('attempt', '+', 1),
        startTime: expression.fn.coalesce('startTime', expression.val(lease.now)),
        updatedAt: lease.now,
      }))
      .where('id', '=', candidate.id)
      .where('status', 'in', runningStatuses)
      .where((where) => where.or([where('leaseUntil', 'is', null), where('leaseUntil', '<', lease.now)]))
      .returningAll()
      .executeTakeFirst();
    if (taken !== undefined) return taken;
    // Another process was first; there may be more to do.
    passedOver.push(candidate.id);
  }
}

async function findWaitingJob(db: Queries, now: number, except: string[]): Promise<{ id: string } | undefined> {
  const waiting = db
    .selectFrom('jobRuns')
    .select('id')
    .where('status', 'in', runningStatuses)
    .where((where) => where.or([where('leaseUntil', 'is', null), where('leaseUntil', '<', now)]))
    .orderBy('createdAt')
    .orderBy('id')
    .limit(1);
  return (except.length === 0 ? waiting : waiting.where('id', 'not in', except)).executeTakeFirst();
}

/** Holds a run's row until the transaction ends; false when `owner` does not have it any more. */
export async function confirmLeasedJob(tx: Transaction, jobId: string, owner: string, now: number): Promise<boolean> {
  const held = await tx
    .updateTable('jobRuns')
    .set({ updatedAt: now })
    .where('id', '=', jobId)
    .where('leaseOwner', '=', owner)
    .where('status', 'in', runningStatuses)
    .returning('id')
    .executeTakeFirst();
  return held !== undefined;
}

/** Writes progress and prolongs the lease; undefined when the lease was lost, and then nothing was written. */
export async function updateLeasedJob(
  db: Queries,
  jobId: string,
  owner: string,
  change: Partial<NewRow<'jobRuns'>>,
): Promise<JobRow | undefined> {
  return db
    .updateTable('jobRuns')
    .set(change)
    .where('id', '=', jobId)
    .where('leaseOwner', '=', owner)
    .where('status', 'in', runningStatuses)
    .returningAll()
    .executeTakeFirst();
}

/** Frees every lease: for the start of the one process that owns the data folder, when no other can hold any. */
export async function releaseAllLeases(db: Queries, now: number): Promise<void> {
  await db
    .updateTable('jobRuns')
    .set({ leaseOwner: null, leaseUntil: null, updatedAt: now })
    .where('status', 'in', runningStatuses)
    .execute();
}

/** Places of records that a run under way, or one that failed since `since`, may still need. */
export async function listSpoolIdsInUse(db: Queries, since: number): Promise<string[]> {
  const rows = await db
    .selectFrom('jobRuns')
    .select('settings')
    .where((where) =>
      where.or([
        where('status', 'in', runningStatuses),
        where.and([where('status', '=', 'FAILED'), where('createdAt', '>', since)]),
      ]),
    )
    .execute();
  return rows.map((row) => (JSON.parse(row.settings) as { spoolId: string }).spoolId);
}

/** Deletes all runs of a workspace; those under way notice that their lease is gone. */
export async function deleteJobs(db: Queries, workspace: Workspace): Promise<void> {
  await db.deleteFrom('jobRuns').where('workspace', '=', workspace).execute();
}

/** Gives runs of these modules to another workspace. */
export async function moveJobs(
  tx: Transaction,
  { moduleIds, from, to, now }: { moduleIds: string[]; from: Workspace; to: Workspace; now: number },
): Promise<void> {
  if (moduleIds.length === 0) return;
  await tx
    .updateTable('jobRuns')
    .set({ workspace: to, updatedAt: now })
    .where('workspace', '=', from)
    .where('moduleId', 'in', moduleIds)
    .execute();
}
