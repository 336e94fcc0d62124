import type { Context } from '#server/context.ts';
import type { IndexJobDependencies } from './index-job-dependencies.ts';
import type { JobLease } from './job-lease.ts';
import { findModuleById, markModuleChecked } from './module-store.ts';
import { crawlKeyOf, type PreviousVersion } from './previous-version.ts';
import { currentModule, publishWhole, withNewSegment } from './publish.ts';
import type { RunSpool } from './run-spool.ts';
import type { JobSettings } from './source.ts';

/**
 * Builds the new version of a module from all records of its run and puts it in the place of what was served. When the
 * run found everything as it was, only the time of the check changes.
 */
export async function finishModule(
  ctx: Context,
  lease: JobLease,
  run: {
    moduleRowId: string;
    previous: PreviousVersion;
    spool: RunSpool;
    isUnchanged: boolean;
    deps: IndexJobDependencies;
  },
): Promise<void> {
  const { deps, spool } = run;
  const before = await currentModule(ctx, run.moduleRowId);
  if (run.isUnchanged) {
    const { source } = JSON.parse(lease.row.settings) as JobSettings;
    const { displayName } = lease.row;
    const change = { source: JSON.stringify(source), displayName, lastUpdatedAt: ctx.clock.now() };
    await markModuleChecked(ctx.db.query, before.id, change);
    await endComplete(ctx, lease, before.snippetCount);
    return deps.notices.modulesChanged(before.workspace);
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
    await publishWhole(ctx, lease, before, { ...built, blobKey: segmentKey });
    return built.snippetCount;
  });
  await endComplete(ctx, lease, snippetCount);
  // The module may have been given to a team meanwhile.
  const after = await findModuleById(ctx.db.query, before.id);
  deps.notices.modulesChanged((after ?? before).workspace);
}

async function endComplete(ctx: Context, lease: JobLease, snippets: number): Promise<void> {
  const over = { endTime: ctx.clock.now(), leaseOwner: null, leaseUntil: null };
  await lease.write({ ...over, status: 'COMPLETE', snippets });
}
