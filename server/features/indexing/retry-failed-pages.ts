import { hasPassingFailures } from '#contract/skip-reasons.ts';
import type { Context } from '#server/context.ts';
import type { JobSettings } from '#server/features/catalog/index.ts';
import type { CrawlErrorCode } from '#server/ingest/crawl/index.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { type JobRow, listDueRetries, takeRetry } from './job-store.ts';
import type { LibraryNotices } from './notices.ts';
import { queueRun } from './queue-run.ts';
import type { ReasonCount } from './reason-counts.ts';

/** Each wait is three times the one before, so the last retry starts some 20 hours after the run. */
const firstWaitMs = 10 * 60_000;
const waitFactor = 3;
const retriesMax = 5;
const due = { mostMs: firstWaitMs * waitFactor ** (retriesMax - 1), count: 50 };

/** The host became unavailable during the crawl; pages read before are kept. */
const brokenOff = new Set<string | null>(['host-failing', 'rate-limited'] satisfies CrawlErrorCode[]);
/** Errors that also justify another retry if the run was a retry. */
const notReached = new Set<string | null>([
  'host-unreachable',
  'robots-unreachable',
  'start-refused',
] satisfies CrawlErrorCode[]);

/**
 * Returns when to retry the pages that a run could not read; null if a retry would not help or the retries are used up.
 */
export function retryTimeOf(
  run: Pick<JobRow, 'kind' | 'settings' | 'status' | 'errorCode' | 'failed' | 'skipReasons'>,
  now: number,
): number | null {
  // A run with a damaged row must still be able to end.
  const { isRetry = false, retries = 0 } = storedJson<Partial<JobSettings>>(run.settings, {});
  if (run.kind !== 'site' || retries >= retriesMax) return null;
  const isWorthIt =
    run.status === 'COMPLETE'
      ? hasPassingFailures({ failed: run.failed, skipReasons: storedJson<ReasonCount[]>(run.skipReasons, []) })
      : brokenOff.has(run.errorCode) || (isRetry && notReached.has(run.errorCode));
  return isWorthIt ? now + firstWaitMs * waitFactor ** retries : null;
}

/**
 * Queues a retry for each run whose failed pages are due: it reads only those, or resumes an interrupted crawl. Each
 * retry is queued by only one process. If queueing fails, for example because the plan is full, it is not tried again.
 * Returns how many were queued.
 */
export async function retryFailedPages(ctx: Context, notices: LibraryNotices): Promise<number> {
  let queued = 0;
  for (const run of await listDueRetries(ctx.db.query, ctx.clock.now(), due)) {
    try {
      if (await queueRetry(ctx, run, notices)) queued += 1;
    } catch (error) {
      ctx.log.warn({ err: error, module: run.slug }, 'failed pages could not be retried');
      await takeRetry(ctx.db.query, run);
    }
  }
  return queued;
}

async function queueRetry(ctx: Context, run: JobRow, notices: LibraryNotices): Promise<boolean> {
  const { workspace, slug, displayName, startedByUserId } = run;
  const { source, isRetry = false, retries = 0 } = JSON.parse(run.settings) as JobSettings;
  const again = { workspace, slug, displayName, startedByUserId, source };
  const settings = { isRetry: isRetry || run.status === 'COMPLETE', retries: retries + 1 };
  const job = await ctx.db.transaction(async (tx) =>
    (await takeRetry(tx, run)) ? (await queueRun(tx, ctx, { ...again, ...settings })).job : undefined,
  );
  if (job === undefined) return false;
  ctx.log.info({ module: slug, jobId: job.id, retry: retries + 1, of: retriesMax }, 'failed pages are read again');
  notices.jobChanged(job);
  notices.jobQueued();
  return true;
}
