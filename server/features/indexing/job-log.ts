import { sql } from 'kysely';
import type { JobLogEntry } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { skipReasonTexts } from '#contract/skip-reasons.ts';
import type { Context } from '#server/context.ts';
import { folderNames } from '#server/features/catalog/index.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { JobLease } from './job-lease.ts';
import { requireJob } from './jobs.ts';

/**
 * Returns which addresses a run omitted and why, one page of the log at a time; a run of another workspace is reported
 * as not found.
 */
export async function getJobLog(
  ctx: Context,
  input: { jobId: string; reason?: string; words?: string; after?: number; limit: number },
): Promise<{ entries: JobLogEntry[]; next: number | null; total: number }> {
  const row = await requireJob(ctx, input.jobId);
  // Read one more entry to determine whether there is a next page.
  const { entries, total } = await readLog(ctx.db.query, { ...input, limit: input.limit + 1 });
  const page = entries.slice(0, input.limit);
  const told = row.kind === 'folder' ? folderNames(row.slug, [row.url]).told : (address: string) => address;
  return {
    entries: page.map(({ address, status, reason }) => ({ address: told(address), status, reason })),
    next: entries.length > page.length ? (page.at(-1)?.position ?? null) : null,
    total,
  };
}

/** Writes the log of a run that is about to end, unless its lease is lost. */
export async function writeJobLog(ctx: Context, lease: JobLease, entries: JobLogEntry[]): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    await lease.confirm(tx);
    await replaceLog(tx, lease.row.id, entries);
    await deleteOldLogs(tx, lease.row.moduleId ?? '');
  });
}

/**
 * Logs that a run failed because of its source as a whole, unless its log has entries: it may have ended before it read
 * anything.
 */
export async function logFailedSource(ctx: Context, lease: JobLease, code: string): Promise<void> {
  const { id, kind, slug, url, moduleId } = lease.row;
  const address = kind === 'site' || kind === 'git' ? url.slice(0, limits.urlCharactersMax) : slug;
  const reason = Object.hasOwn(skipReasonTexts, code) ? code : 'nothing-read';
  await ctx.db.transaction(async (tx) => {
    await lease.confirm(tx);
    if (await hasLog(tx, id)) return;
    await replaceLog(tx, id, [{ address, status: 'failed', reason }]);
    await deleteOldLogs(tx, moduleId ?? '');
  });
}

/** Rows per insert: SQLite accepts 32,766 parameters, and each row needs five. */
const rowsAtOnce = 500;
/** Runs per module whose logs are kept. */
const logsPerModule = 5;

/** Replaces the log that an earlier attempt at the run wrote. */
async function replaceLog(tx: Transaction, jobId: string, entries: JobLogEntry[]): Promise<void> {
  await tx.deleteFrom('jobLogEntries').where('jobId', '=', jobId).execute();
  const rows = entries.map((entry, position) => ({ ...entry, jobId, position }));
  for (let start = 0; start < rows.length; start += rowsAtOnce) {
    await tx
      .insertInto('jobLogEntries')
      .values(rows.slice(start, start + rowsAtOnce))
      .execute();
  }
}

/** Returns true if the run's log has an entry. */
async function hasLog(db: Queries, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobLogEntries')
    .select('position')
    .where('jobId', '=', jobId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the logs of all but the newest runs of a module. */
async function deleteOldLogs(tx: Transaction, moduleId: string): Promise<void> {
  const runs = await tx
    .selectFrom('jobRuns')
    .select('id')
    .where('moduleId', '=', moduleId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(logsPerModule)
    .execute();
  const kept = runs.map(({ id }) => id);
  if (kept.length < logsPerModule) return;
  const ofModule = tx.selectFrom('jobRuns').select('id').where('moduleId', '=', moduleId);
  await tx.deleteFrom('jobLogEntries').where('jobId', 'in', ofModule).where('jobId', 'not in', kept).execute();
}

/** Returns the entries after a position, in order, and the total number that match the reason and the words. */
async function readLog(
  db: Queries,
  {
    jobId,
    reason,
    words = '',
    after,
    limit,
  }: { jobId: string; reason?: string; words?: string; after?: number; limit: number },
): Promise<{ entries: (JobLogEntry & { position: number })[]; total: number }> {
  let found = db.selectFrom('jobLogEntries').where('jobId', '=', jobId);
  if (reason !== undefined) found = found.where('reason', '=', reason);
  if (words !== '') {
    const pattern = `%${words.toLowerCase().replace(/[\\%_]/g, (character) => `\\${character}`)}%`;
    found = found.where(sql<boolean>`lower(address) like ${pattern} escape '\\'`);
  }
  const { total } = await found.select((e) => e.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const page = after === undefined ? found : found.where('position', '>', after);
  const entries = await page
    .select(['position', 'address', 'status', 'reason'])
    .orderBy('position')
    .limit(limit)
    .execute();
  return { entries, total: Number(total) };
}
