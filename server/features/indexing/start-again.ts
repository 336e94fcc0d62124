import type { JobRun } from '#contract/library.ts';
import { hasPassingFailures } from '#contract/skip-reasons.ts';
import { AppError, sourceRefused } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import {
  findLastEndedJob,
  findReadableModule,
  type JobSettings,
  runningStatuses,
  type Source,
  seesPathsOf,
  sourceIn,
  sourceOfRun,
  visibilityOf,
  workspaceForWriting,
} from '#server/features/catalog/index.ts';
import { actIn, confirmRight } from '#server/features/teams/index.ts';
import type { CrawlErrorCode } from '#server/ingest/crawl/index.ts';
import type { Workspace } from '#server/platform/db/schema.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import { type JobRow, listDueRetries, takeRetry } from './job-store.ts';
import { requireJob } from './jobs.ts';
import type { LibraryNotices } from './notices.ts';
import { presentJob } from './present.ts';
import { queueRun } from './queue-run.ts';
import type { ReasonCount } from './reason-counts.ts';

/** Queues a finished run again: the same source, limits and credential. */
export async function retryJob(ctx: Context, input: { jobId: string }, notices: LibraryNotices): Promise<JobRun> {
  requirePerson(ctx);
  const row = await requireJob(ctx, input.jobId);
  if (runningStatuses.includes(row.status)) {
    throw new AppError('job-already-running', { values: { module: row.slug } });
  }
  const { workspace, slug, displayName } = row;
  return startAgain(ctx, { workspace, slug, displayName, source: sourceOfRun(row) ?? lost(slug) }, notices);
}

/** Reads a module's source again: completely, or only the pages that failed in the last run. */
export async function refreshModule(
  ctx: Context,
  input: { moduleId: string; visibility?: 'public' | 'private'; teamId?: string; onlyFailed?: boolean },
  notices: LibraryNotices,
): Promise<JobRun> {
  requirePerson(ctx);
  const acting = await actIn(ctx, input.teamId);
  const { id, workspace, slug, displayName, source: kept } = await findReadableModule(acting, input);
  // If the module's row is damaged, use the source of its last run.
  const source = sourceIn(kept) ?? sourceOfRun(await findLastEndedJob(acting.db.query, id)) ?? lost(slug);
  const isRetry = input.onlyFailed === true;
  return startAgain(acting, { workspace, slug, displayName, source, isRetry }, notices);
}

function lost(module: string): never {
  throw sourceRefused(
    `The row of "${module}" is damaged, and no run knows its address. Index the address again with the id "${module}".`,
  );
}

async function startAgain(
  ctx: Context,
  run: { workspace: Workspace; slug: string; displayName: string; source: Source; isRetry?: boolean },
  notices: LibraryNotices,
): Promise<JobRun> {
  const startedByUserId = requirePerson(ctx);
  // Only the operator may re-run the public index and folders of this machine, no matter who can see the run.
  await workspaceForWriting(ctx, visibilityOf(run.workspace), run.source.kind);
  const { job } = await ctx.db.transaction(async (tx) => {
    if (run.workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    return queueRun(tx, ctx, { ...run, startedByUserId });
  });
  notices.jobChanged(job);
  notices.jobQueued();
  return presentJob(job, { now: ctx.clock.now(), seesPaths: await seesPathsOf(ctx, [job]) });
}

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
