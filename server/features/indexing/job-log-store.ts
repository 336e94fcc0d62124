import { sql } from 'kysely';
import type { JobLogEntry } from '#contract/library.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';

/** Rows per insert: SQLite accepts 32,766 parameters, and each row needs five. */
const rowsAtOnce = 500;
/** Runs per module whose logs are kept. */
const logsPerModule = 5;

/** Replaces the log that an earlier attempt at the run wrote. */
export async function replaceLog(tx: Transaction, jobId: string, entries: JobLogEntry[]): Promise<void> {
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
export async function hasLog(db: Queries, jobId: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobLogEntries')
    .select('position')
    .where('jobId', '=', jobId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Deletes the logs of all but the newest runs of a module. */
export async function deleteOldLogs(tx: Transaction, moduleId: string): Promise<void> {
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
export async function readLog(
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
