import type { Context } from '#server/context.ts';
import { runningStatuses } from '#server/features/catalog/index.ts';
import { giveUpBlobs } from '#server/platform/blobs/blob-deletions.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import { hasCome, isOver } from '#server/platform/db/has-come.ts';
import type { NewRow, Row, SourceKind, Workspace } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { findNextJob, isLeaseOver, leaseMsMax } from './next-job-store.ts';

export type JobRow = Row<'jobRuns'>;
const runsLookedAtMax = 1_000;

export async function insertJob(db: Queries, row: NewRow<'jobRuns'>): Promise<JobRow> {
  return db.insertInto('jobRuns').values(row).returningAll().executeTakeFirstOrThrow();
}

export async function hasJob(db: Queries, jobId: string): Promise<boolean> {
  return (await db.selectFrom('jobRuns').select('id').where('id', '=', jobId).executeTakeFirst()) !== undefined;
}

/** Returns true if the run is reading its source. */
export async function isReading(db: Queries, jobId: string): Promise<boolean> {
  const row = await db.selectFrom('jobRuns').select('status').where('id', '=', jobId).executeTakeFirst();
  return row?.status === 'CRAWLING';
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

/** Returns the newest run of each module if it is unfinished or has failed; newest first. */
export async function listCurrentJobRows(db: Queries, workspaces: Workspace[], count: number): Promise<JobRow[]> {
  return db
    .selectFrom('jobRuns as run')
    .selectAll('run')
    .where('run.workspace', 'in', workspaces)
    .where('run.status', 'in', [...runningStatuses, 'FAILED'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobRuns as later')
            .select('later.id')
            .whereRef('later.moduleId', '=', 'run.moduleId')
            .whereRef('later.createdAt', '>', 'run.createdAt'),
        ),
      ),
    )
    .orderBy('run.createdAt', 'desc')
    .orderBy('run.id', 'desc')
    .limit(count)
    .execute();
}

/** Returns the most recent runs, newest first; older ones are ignored. */
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

/** Returns how many runs of these workspaces are unfinished. */
export async function countRunningJobs(db: Queries, workspaces: Workspace[]): Promise<number> {
  const { runs } = await db
    .selectFrom('jobRuns')
    .select(({ fn }) => fn.countAll().as('runs'))
    .where('workspace', 'in', workspaces)
    .where('status', 'in', runningStatuses)
    .executeTakeFirstOrThrow();
  return Number(runs);
}

/** Returns the unfinished runs of all workspaces. */
export async function listUnendedJobs(db: Queries): Promise<Pick<JobRow, 'id' | 'slug' | 'moduleId'>[]> {
  return db.selectFrom('jobRuns').select(['id', 'slug', 'moduleId']).where('status', 'in', runningStatuses).execute();
}

/** Asks an unfinished run to stop; undefined if it has ended. */
export async function requestCancel(db: Queries, jobId: string, now: number): Promise<JobRow | undefined> {
  return db
    .updateTable('jobRuns')
    .set({ cancelRequestedAt: now, updatedAt: now })
    .where('id', '=', jobId)
    .where('status', 'in', runningStatuses)
    .returningAll()
    .executeTakeFirst();
}

/** Ends a run that no worker holds; undefined if a worker holds it or it has ended. */
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

/** Leases the next run in turn, or one whose lease has expired. At most one caller gets it. */
export async function leaseJob(
  db: Queries,
  lease: { owner: string; now: number; until: number; except: string[]; isExtra?: boolean },
): Promise<JobRow | undefined> {
  const passedOver = [...lease.except];
  for (;;) {
    const candidate = await findNextJob(db, lease.now, { ...lease, except: passedOver });
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
      .where((where) => where.or([where('leaseUntil', 'is', null), isLeaseOver(lease.now)]))
      .returningAll()
      .executeTakeFirst();
    if (taken !== undefined) return taken;
    // Another process leased it first; there may be more runs.
    passedOver.push(candidate.id);
  }
}

/** Returns a run's row, locked until the transaction ends; undefined if `owner` no longer holds the lease. */
export async function confirmLeasedJob(
  tx: Transaction,
  jobId: string,
  owner: string,
  now: number,
): Promise<JobRow | undefined> {
  return updateLeasedJob(tx, jobId, owner, { updatedAt: now });
}

/** Names a run whose module has no name yet: until then the module's id serves as name. */
export async function nameUnnamedJob(db: Queries, jobId: string, displayName: string): Promise<void> {
  await db
    .updateTable('jobRuns')
    .set({ displayName })
    .where('id', '=', jobId)
    .whereRef('displayName', '=', 'slug')
    .execute();
}

/** Sets the new name of a module on all of its runs. */
export async function renameJobs(tx: Transaction, moduleId: string, displayName: string): Promise<void> {
  await tx.updateTable('jobRuns').set({ displayName }).where('moduleId', '=', moduleId).execute();
}

/** Writes progress and renews the lease; undefined, with nothing written, if the lease is lost. */
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

/** Completes a run whose version was held back; undefined if it no longer holds one. */
export async function acceptHeldJob(
  tx: Transaction,
  jobId: string,
  { now, snippets }: { now: number; snippets: number },
): Promise<JobRow | undefined> {
  return tx
    .updateTable('jobRuns')
    .set({ status: 'COMPLETE', error: null, errorCode: null, held: null, snippets, updatedAt: now })
    .where('id', '=', jobId)
    .where('status', '=', 'FAILED')
    .where('held', 'is not', null)
    .returningAll()
    .executeTakeFirst();
}

/** Stores a held-back version with the run that built it. */
export async function keepHeld(tx: Transaction, jobId: string, held: string): Promise<void> {
  await tx.updateTable('jobRuns').set({ held }).where('id', '=', jobId).execute();
}

/** Discards the module's held-back versions: none can be accepted any longer. */
export async function dropHeldOf(tx: Transaction, moduleId: string): Promise<void> {
  await tx
    .updateTable('jobRuns')
    .set({ held: null })
    .where('moduleId', '=', moduleId)
    .where('held', 'is not', null)
    .execute();
}

/** Returns runs whose failed pages are due for a retry, longest overdue first, except those of removed modules. */
export async function listDueRetries(
  db: Queries,
  now: number,
  { mostMs, count }: { mostMs: number; count: number },
): Promise<JobRow[]> {
  return db
    .selectFrom('jobRuns')
    .innerJoin('modules', 'modules.id', 'jobRuns.moduleId')
    .selectAll('jobRuns')
    .where(hasCome('jobRuns.retryAt', now, mostMs))
    .orderBy('jobRuns.retryAt')
    .limit(count)
    .execute();
}

/** Claims a due retry; returns false if another process or a newer run has done so. */
export async function takeRetry(db: Queries, { id, retryAt }: JobRow): Promise<boolean> {
  const taken = await db
    .updateTable('jobRuns')
    .set({ retryAt: null })
    .where('id', '=', id)
    .where('retryAt', '=', retryAt)
    .returning('id')
    .executeTakeFirst();
  return taken !== undefined;
}

/** Cancels the pending retries of a module: a newer run covers their pages. */
export async function dropRetriesOf(tx: Transaction, moduleId: string): Promise<void> {
  await tx
    .updateTable('jobRuns')
    .set({ retryAt: null })
    .where('moduleId', '=', moduleId)
    .where('retryAt', 'is not', null)
    .execute();
}

/** Releases all leases, at the start of the only process that owns the data folder, since no other can hold one. */
export async function releaseAllLeases(db: Queries, now: number): Promise<void> {
  await db
    .updateTable('jobRuns')
    .set({ leaseOwner: null, leaseUntil: null, updatedAt: now })
    .where('status', 'in', runningStatuses)
    .execute();
}

/** A failed run can be resumed for this long. */
const spoolLifetimeMs = 7 * 24 * 60 * 60_000;

/** Records that may still be needed by an active run or by a failed one that can be resumed. */
export interface SpoolInUse {
  spoolId: string;
  workspace: Workspace;
  isRunning: boolean;
}

/** Returns the spools of active runs, then those of failed runs, newest first. */
export async function listSpoolsInUse(db: Queries, now: number): Promise<SpoolInUse[]> {
  const rows = await db
    .selectFrom('jobRuns')
    .select(['settings', 'workspace', 'status'])
    .where((where) =>
      where.or([
        where('status', 'in', runningStatuses),
        where.and([where('status', '=', 'FAILED'), where('createdAt', '>', now - spoolLifetimeMs)]),
      ]),
    )
    .orderBy('createdAt', 'desc')
    .execute();
  return rows
    .flatMap(({ settings, workspace, status }) =>
      spoolIdsIn(settings).map((spoolId) => ({ spoolId, workspace, isRunning: status !== 'FAILED' })),
    )
    .toSorted((a, b) => Number(b.isRunning) - Number(a.isRunning));
}

/** Returns the spool ids of all runs, finished or not. */
export async function listSpoolIds(db: Queries): Promise<string[]> {
  const rows = await db.selectFrom('jobRuns').select('settings').execute();
  return rows.flatMap((row) => spoolIdsIn(row.settings));
}

/** Returns the spool id in a run's settings; none for a damaged row, whose run cannot be resumed. */
function spoolIdsIn(settings: string): string[] {
  const { spoolId } = storedJson<{ spoolId?: string }>(settings, {});
  return spoolId === undefined ? [] : [spoolId];
}

/** Deletes all runs of a workspace with the pages they fetched; active runs notice that their lease is gone. */
export async function deleteJobs(tx: Transaction, workspace: Workspace, now: number): Promise<void> {
  const rows = await tx.selectFrom('jobRuns').select('settings').where('workspace', '=', workspace).execute();
  const spools = rows.flatMap((row) => spoolIdsIn(row.settings)).map((spoolId) => `runs/${spoolId}/`);
  await giveUpBlobs(tx, spools, now);
  await tx.deleteFrom('jobRuns').where('workspace', '=', workspace).execute();
}

/** Moves the runs of these modules to another workspace. */
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

/** Returns how many runs are waiting and running in all workspaces; a run with an expired lease counts as waiting. */
export async function getQueueFigures(
  ctx: Pick<Context, 'db' | 'clock'>,
): Promise<{ waiting: number; running: number; oldestWaitingSince: number | null }> {
  const rows = await ctx.db.query
    .selectFrom('jobRuns')
    .select(['createdAt', 'leaseUntil'])
    .where('status', 'in', runningStatuses)
    .orderBy('createdAt')
    .execute();
  const waiting = rows.filter(
    ({ leaseUntil }) => leaseUntil === null || isOver(leaseUntil, ctx.clock.now(), leaseMsMax),
  );
  return {
    waiting: waiting.length,
    running: rows.length - waiting.length,
    oldestWaitingSince: waiting[0]?.createdAt ?? null,
  };
}
