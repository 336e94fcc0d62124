import type { Context } from '#server/context.ts';
import { type JobSettings, type ModuleRow, markModuleChecked } from '#server/features/catalog/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { CoverageChange, IndexJobDependencies } from './collect.ts';
import type { JobLease } from './job-lease.ts';
import { judgeVersion, keepGeneratedProbes } from './judge-version.ts';
import { crawlKeyOf, type PreviousVersion } from './previous-version.ts';
import { currentModule, publishWhole, withNewSegment } from './publish.ts';
import type { RunLog } from './run-log.ts';
import type { RunSpool } from './run-spool.ts';
import { retryTimeOf } from './start-again.ts';

/**
 * Builds a module's new version from all records of its run and publishes it in place of the served one. If nothing
 * changed, only updates the time of the check. Throws `quality-lowered` if the new version answers worse; it is then
 * kept, but not served.
 */
export async function finishModule(
  ctx: Context,
  lease: JobLease,
  run: {
    /** The module as of its last complete version. */
    served: ModuleRow;
    previous: PreviousVersion;
    log: RunLog;
    spool: RunSpool;
    /** Counts of the pages read and of those that could not be. */
    coverage: CoverageChange;
    isUnchanged: boolean;
    deps: IndexJobDependencies;
  },
): Promise<void> {
  const { deps, spool, coverage } = run;
  const before = await currentModule(ctx, run.served.id);
  if (run.isUnchanged) {
    const { source } = JSON.parse(lease.row.settings) as JobSettings;
    await ctx.db.transaction(async (tx) => {
      const { displayName } = await lease.confirm(tx);
      const change = { source: JSON.stringify(source), displayName, lastUpdatedAt: ctx.clock.now() };
      const checked = await markModuleChecked(tx, before.id, change);
      if (checked !== undefined) announceChange(tx, { collection: 'modules', audience: checked.workspace });
    });
    return endComplete(ctx, lease, { ...coverage, snippets: before.snippetCount });
  }
  const snippetCount = await withNewSegment(ctx, deps.blobs, before.id, async (segmentKey) => {
    const task = {
      chunkKeys: spool.chunkKeys(),
      baseKeys: run.previous.blobKeys,
      kind: 'whole' as const,
      segmentKey,
      crawlKey: crawlKeyOf(before.id),
    };
    const built = await deps.builds.run(task, lease.signal);
    lease.signal.throwIfAborted();
    const version = { ...built, blobKey: segmentKey };
    const probes = await judgeVersion(ctx, lease, { built: version, served: run.served, log: run.log, deps });
    lease.signal.throwIfAborted();
    await publishWhole(ctx, lease, before, version);
    await keepGeneratedProbes(ctx, before.id, probes);
    return built.snippetCount;
  });
  await endComplete(ctx, lease, { ...coverage, snippets: snippetCount });
}

async function endComplete(ctx: Context, lease: JobLease, found: CoverageChange & { snippets: number }): Promise<void> {
  const { snippets } = found;
  const now = ctx.clock.now();
  const retryAt = retryTimeOf({ ...lease.row, ...found, status: 'COMPLETE' }, now);
  await lease.write({ status: 'COMPLETE', snippets, retryAt, endTime: now, leaseOwner: null, leaseUntil: null });
  ctx.log.info({ module: lease.row.slug, status: 'COMPLETE', snippets }, 'a run ended');
}
