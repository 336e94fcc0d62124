import { randomUUID } from 'node:crypto';
import type { JobRun } from '#contract/library.ts';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { requirePerson } from '#server/features/accounts/index.ts';
import {
  findModuleById,
  findSegments,
  insertSegment,
  type ModuleRow,
  markOtherSegmentsDropped,
  requireMayChange,
  seesPathsOf,
  segmentIdsOf,
  sourceOfRun,
  swapSegments,
} from '#server/features/catalog/index.ts';
import { confirmRight } from '#server/features/teams/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import { auditTeamOf, recordAudit } from '#server/platform/db/audit.ts';
import { storedJson } from '#server/platform/db/stored-json.ts';
import type { JobLease } from './job-lease.ts';
import { acceptHeldJob, dropHeldOf, keepHeld } from './job-store.ts';
import { requireJob } from './jobs.ts';
import type { LibraryNotices } from './notices.ts';
import { presentJob } from './present.ts';
import { type BuiltSegment } from './publish.ts';

/** A version that is built but held back, as stored in its run's row. */
interface HeldVersion {
  segmentId: string;
  /** The module's revision: the version can be accepted until another one is published. */
  revision: number;
  pageCount: number;
  snippetCount: number;
  tokenCount: number;
  byteCount: number;
}

/**
 * Stores a held-back version and reverts the changed pages that the run has published, in one transaction. Replaces a
 * version held by an earlier run of the module.
 */
export async function holdVersion(
  ctx: Context,
  lease: JobLease,
  built: BuiltSegment,
  served: ModuleRow,
): Promise<void> {
  const now = ctx.clock.now();
  const segmentId = randomUUID();
  const { blobKey, pageCount, snippetCount, tokenCount, byteCount } = built;
  await ctx.db.transaction(async (tx) => {
    await lease.confirm(tx);
    const current = await findModuleById(tx, served.id);
    if (current === undefined) throw new AppError('module-changed');
    const { segments, byteCount: bytesServed } = served;
    const restored = await swapSegments(tx, current, { segments, byteCount: bytesServed });
    if (restored === undefined) throw new AppError('module-changed');
    announceChange(tx, { collection: 'modules', audience: restored.workspace });
    await insertSegment(tx, {
      id: segmentId,
      moduleId: served.id,
      blobKey,
      pageCount,
      snippetCount,
      byteCount,
      createdAt: now,
    });
    await markOtherSegmentsDropped(tx, served.id, [...segmentIdsOf(served), segmentId], now);
    await dropHeldOf(tx, served.id);
    const held = { segmentId, revision: restored.revision, pageCount, snippetCount, tokenCount, byteCount };
    await keepHeld(tx, lease.row.id, JSON.stringify(held satisfies HeldVersion));
  });
}

/**
 * Publishes a held-back version on behalf of the user who accepts it. Throws if they may not change the module, and
 * `job-not-held` if it was accepted or replaced meanwhile; of two concurrent calls one succeeds.
 */
export async function acceptJob(ctx: Context, input: { jobId: string }, notices: LibraryNotices): Promise<JobRun> {
  const actorUserId = requirePerson(ctx);
  const row = await requireJob(ctx, input.jobId);
  await requireMayChange(ctx, row.workspace);
  const { moduleId } = row;
  if (row.held === null || moduleId === null) throw new AppError('job-not-held');
  const held = storedJson<HeldVersion | null>(row.held, null);
  const source = sourceOfRun(row);
  if (held === null || source === undefined) throw new AppError('job-not-held');
  const now = ctx.clock.now();
  const accepted = await ctx.db.transaction(async (tx) => {
    if (row.workspace !== 'public') await confirmRight(tx, ctx, 'sources.write');
    const job = await acceptHeldJob(tx, row.id, { now, snippets: held.snippetCount });
    if (job === undefined) throw new AppError('job-not-held');
    const { segmentId, revision, ...counts } = held;
    const [segment] = await findSegments(tx, [segmentId]);
    if (segment === undefined || segment.droppedAt !== null) throw new AppError('job-not-held');
    const segments = JSON.stringify([segmentId]);
    const change = { ...counts, segments, source: JSON.stringify(source), lastUpdatedAt: now };
    const swapped = await swapSegments(tx, { id: moduleId, revision }, change);
    if (swapped === undefined) throw new AppError('job-not-held');
    announceChange(tx, { collection: 'modules', audience: swapped.workspace });
    await markOtherSegmentsDropped(tx, moduleId, [segmentId], now);
    const { workspace, slug } = row;
    const detail = { moduleId: slug, jobId: row.id };
    await recordAudit(tx, now, {
      actorUserId,
      action: 'module.accept',
      entityId: moduleId,
      detail,
      ...auditTeamOf(workspace),
    });
    return job;
  });
  notices.jobChanged(accepted);
  return presentJob(accepted, { now, seesPaths: await seesPathsOf(ctx, [accepted]) });
}
