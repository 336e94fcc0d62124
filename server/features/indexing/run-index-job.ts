import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { JobSettings } from '#server/features/catalog/index.ts';
import { BuildError } from '#server/ingest/build/build-task.ts';
import { BlobError } from '#server/platform/blobs/blobs.ts';
import { isDatabaseError } from '#server/platform/db/database-error.ts';
import type { SourceKind } from '#server/platform/db/schema.ts';
import { traced } from '#server/platform/tracing.ts';
import type { Collect, RunDependencies } from './collect.ts';
import { collectFolder } from './collect-folder.ts';
import { collectSite } from './collect-site.ts';
import { cancelledFailure, type Failure, failureOf, interruptedFailure } from './failure.ts';
import { finishModule } from './finish-module.ts';
import { JobLease } from './job-lease.ts';
import { logFailedSource, writeJobLog } from './job-log.ts';
import { hasJob, type JobRow } from './job-store.ts';
import { createLiveChanges, ownerOfRun } from './live-changes.ts';
import { noPreviousVersion, openPreviousVersion, type PreviousVersion } from './previous-version.ts';
import { currentModule, takeBackChanges, wholeVersionOf } from './publish.ts';
import { createRunLog } from './run-log.ts';
import { openRunSpool } from './run-spool.ts';
import { retryTimeOf } from './start-again.ts';
import { roomOfRun } from './within-plan.ts';

/** A run is abandoned after this many attempts that ended without a result (the process was killed each time). */
const attemptsMax = 5;
/** First wait of a run whose blob store is unreachable; doubles each time. */
const storePauseMs = 10_000;

/**
 * Carries out a leased run: fetches, parses, builds and publishes the new version. The run ends COMPLETE or FAILED with
 * a reason, or is given back to the queue if the process is stopping. The old version is served until the new one
 * replaces it in one transaction. Rejects only if the end cannot be recorded.
 */
export async function runIndexJob(
  ctx: Context,
  row: JobRow,
  deps: RunDependencies,
  stopping: AbortSignal,
): Promise<void> {
  const about = { module: row.slug, workspace: row.workspace, attempt: row.attempt };
  ctx.log.info(about, row.attempt > 1 ? 'a run was taken over' : 'a run was started');
  const lease = new JobLease(ctx, row, { notices: deps.notices, onCancel: deps.onCancel, stopping });
  try {
    if (row.cancelRequestedAt !== null) return await endFailed(ctx, lease, cancelledFailure);
    if (row.attempt > attemptsMax) return await endFailed(ctx, lease, interruptedFailure(row.attempt - 1));
    await traced('index run', (span) => {
      span.note({ 'lectern.module': row.slug, 'lectern.run': row.id, 'lectern.attempt': row.attempt });
      return work(ctx, lease, deps);
    });
  } catch (error) {
    await endAfter(ctx, lease, error);
  } finally {
    await lease.release();
  }
}

async function work(ctx: Context, lease: JobLease, deps: RunDependencies): Promise<void> {
  await lease.write({ status: 'CRAWLING' });
  const module = await currentModule(ctx, lease.row.moduleId ?? '');
  const previous = await openPreviousVersion(ctx, module, deps.blobs, deps.shelf);
  try {
    await collectAndFinish(ctx, lease, deps, previous);
  } catch (error) {
    if (!(error instanceof BuildError) || error.code !== 'base-damaged' || lease.signal.aborted) throw error;
    // The unchanged pages were to be copied from there: read them too, so that the module is complete again.
    ctx.log.warn({ err: error }, 'the served version of the module is damaged; all pages are read again');
    const spool = await openRunSpool({ blobs: deps.blobs, clock: ctx.clock }, settingsOf(lease).spoolId);
    await spool.remove();
    await collectAndFinish(ctx, lease, deps, noPreviousVersion());
  } finally {
    previous.close();
  }
}

/** Returns the PDF parser for this owner's files. */
function pdfParserFor(owner: string, { pdfParser }: Pick<RunDependencies, 'pdfParser'>): RunDependencies['pdfParser'] {
  return pdfParser && { parse: (file, watch) => pdfParser.parse(file, { ...watch, owner }) };
}

async function collectAndFinish(
  ctx: Context,
  lease: JobLease,
  deps: RunDependencies,
  previous: PreviousVersion,
): Promise<void> {
  const settings = settingsOf(lease);
  const { kind } = settings.source;
  const module = await currentModule(ctx, lease.row.moduleId ?? '');
  const onNewPages = (chunkKey: string) => deps.builds.prepare(chunkKey);
  const requireRoom = await roomOfRun(ctx, module);
  const spoolParts = { blobs: deps.blobs, clock: ctx.clock, onNewPages, requireRoom, onAdd: deps.onKept };
  const spool = await openRunSpool(spoolParts, settings.spoolId);
  if (!goesOn(kind)) await spool.remove();
  const log = createRunLog();
  const live = createLiveChanges(ctx, lease, { module, previous, spool, deps });
  try {
    const collect = collectorOf(kind, deps);
    const collecting = { ...deps, parsePool: live.parsePool, pdfParser: pdfParserFor(ownerOfRun(lease), deps) };
    const coverage = await traced('collect', async (span) => {
      const all = await collect(ctx, lease, { settings, previous, spool: live.spool, log, deps: collecting });
      span.note({ 'lectern.pages_fetched': all.fetched, 'lectern.pages_unchanged': all.unchanged });
      return all;
    });
    lease.signal.throwIfAborted();
    await spool.flush();
    await live.end();
    await lease.write({ ...coverage, status: 'INDEXING' });
    lease.signal.throwIfAborted();
    const isUnchanged =
      previous.blobKeys.length === 1 && coverage.fetched === 0 && coverage.unchanged === previous.knownCount;
    // A large page leaves the parser with a large heap, and the build is about to need memory.
    await deps.parsePool.shrink();
    await writeJobLog(ctx, lease, log.entries());
    const served = await wholeVersionOf(ctx.db.query, await currentModule(ctx, module.id));
    await traced('build and publish', () =>
      finishModule(ctx, lease, { served, previous, spool, log, coverage, isUnchanged, deps }),
    );
  } catch (error) {
    await live.end();
    // After losing the lease another worker may be writing there.
    if (lease.stopReason() !== 'lease-lost') {
      await spool
        .flush()
        .catch((cause: unknown) => ctx.log.warn({ err: cause }, 'the last pages read were not stored'));
      await writeJobLog(ctx, lease, log.entries()).catch((cause: unknown) =>
        ctx.log.warn({ err: cause }, 'the pages that a run left out could not be written to its log'),
      );
    }
    // The held-back version already contains these records; a new run must read the source again.
    const isHeldBack = error instanceof AppError && error.code === 'quality-lowered';
    if (isHeldBack || (await isDeleted(ctx, lease))) await spool.remove();
    throw error;
  } finally {
    deps.builds.forget(spool.chunkKeys());
  }
  if (lease.stopReason() !== 'lease-lost' || (await isDeleted(ctx, lease))) await spool.remove();
}

/**
 * Returns true if the run was deleted with its account or team, so that no other worker writes to or resumes from its
 * spool.
 */
async function isDeleted(ctx: Context, lease: JobLease): Promise<boolean> {
  return lease.stopReason() === 'lease-lost' && !(await hasJob(ctx.db.query, lease.row.id));
}

/**
 * Returns true if attempts resume from the previous one, as for crawls and PDF sets. Local sources are read completely
 * each time, since files read before may be gone.
 */
export function goesOn(kind: SourceKind): boolean {
  return kind === 'site' || kind === 'pdf';
}

/** Returns the collector: sites and folders are read here, other kinds by the features above. */
function collectorOf(kind: SourceKind, deps: RunDependencies): Collect {
  const collect = { site: collectSite, folder: collectFolder, ...deps.collectors }[kind];
  if (collect === undefined) throw new Error(`no collector for sources of the kind ${kind}`);
  return collect;
}

async function endAfter(ctx: Context, lease: JobLease, error: unknown): Promise<void> {
  switch (lease.stopReason()) {
    case 'cancelled':
      return endFailed(ctx, lease, cancelledFailure);
    case 'stopping':
      // A deliberately interrupted attempt does not count. `leaseUntil` records since when the run waits for its next
      // turn.
      await lease.write({ leaseOwner: null, leaseUntil: ctx.clock.now(), attempt: lease.row.attempt - 1 });
      ctx.log.info({ module: lease.row.slug }, 'a run was released');
      return;
    case 'lease-lost':
      return;
    case undefined: {
      if (isDatabaseError(error, 'unreachable')) {
        // The run is not at fault: it is retried, and abandoned after as many attempts as a killed one.
        ctx.log.warn({ err: error }, 'the database became unreachable during a run; the run will be resumed');
        await lease.write({ leaseOwner: null, leaseUntil: null });
        return;
      }
      const { attempt } = lease.row;
      if (error instanceof BlobError && error.code === 'unreachable' && attempt < attemptsMax) {
        ctx.log.warn({ err: error }, 'the blob store became unreachable during a run; the run will be resumed');
        // Without an owner, the waiting run can be cancelled.
        const leaseUntil = ctx.clock.now() + storePauseMs * 2 ** (attempt - 1);
        await lease.write({ leaseOwner: null, leaseUntil });
        return;
      }
      const failure = failureOf(error);
      const moduleId = lease.row.slug;
      if (failure.isOurs) ctx.log.error({ err: error, moduleId }, 'an index run failed');
      // Not a program error, but log readers should see it too.
      else ctx.log.warn({ moduleId, code: failure.code, reason: failure.sentence }, 'an index run failed');
      return endFailed(ctx, lease, failure);
    }
  }
}

async function endFailed(ctx: Context, lease: JobLease, { code, sentence }: Failure): Promise<void> {
  if (code !== cancelledFailure.code) {
    await logFailedSource(ctx, lease, code).catch((cause: unknown) =>
      ctx.log.warn({ err: cause }, 'the failure of a run could not be written to its log'),
    );
  }
  await ctx.db
    .transaction(async (tx) => takeBackChanges(tx, (await lease.confirm(tx)).moduleId, ctx.clock.now()))
    .catch((cause: unknown) =>
      ctx.log.warn({ err: cause }, 'changed pages that a failed run had shown could not be reverted'),
    );
  const now = ctx.clock.now();
  const retryAt = retryTimeOf({ ...lease.row, status: 'FAILED', errorCode: code }, now);
  const end = { status: 'FAILED' as const, error: sentence, errorCode: code, retryAt };
  await lease.write({ ...end, endTime: now, leaseOwner: null, leaseUntil: null });
  ctx.log.info({ module: lease.row.slug, status: 'FAILED', code }, 'a run ended');
}

function settingsOf(lease: JobLease): JobSettings {
  return JSON.parse(lease.row.settings) as JobSettings;
}
