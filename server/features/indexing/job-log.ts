import type { JobLogEntry } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { skipReasonTexts } from '#contract/skip-reasons.ts';
import type { Context } from '#server/context.ts';
import { folderNames } from '#server/features/catalog/index.ts';
import type { JobLease } from './job-lease.ts';
import { deleteOldLogs, hasLog, readLog, replaceLog } from './job-log-store.ts';
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
