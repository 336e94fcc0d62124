import { randomUUID } from 'node:crypto';
import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import {
  findModuleById,
  findSegmentByKey,
  findSegments,
  insertSegment,
  type JobSettings,
  type ModuleRow,
  markOtherSegmentsDropped,
  markSegmentsDropped,
  segmentIdsOf,
  swapSegments,
} from '#server/features/catalog/index.ts';
import type { BuildResult } from '#server/ingest/build/build-task.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { announceChange } from '#server/platform/bus/announce-change.ts';
import type { Queries, Transaction } from '#server/platform/db/database.ts';
import type { JobLease } from './job-lease.ts';
import { dropHeldOf } from './job-store.ts';
import { requireRoomInPlan } from './within-plan.ts';

/** A segment in the blob store that no row refers to yet. */
export interface BuiltSegment extends BuildResult {
  blobKey: string;
}

/** A segment published over a module's served version. */
export interface LiveSegment {
  id: string;
  byteCount: number;
}

/**
 * Runs `work` with the key for a new segment. If it fails, deletes the blob under that key, unless it was published
 * nevertheless.
 */
export async function withNewSegment<T>(
  ctx: Context,
  blobs: Blobs,
  moduleRowId: string,
  work: (segmentKey: string) => Promise<T>,
): Promise<T> {
  const segmentKey = `segments/${moduleRowId}/${randomUUID()}.seg`;
  try {
    return await work(segmentKey);
  } catch (error) {
    await deleteUnlessPublished(ctx, blobs, segmentKey);
    throw error;
  }
}

/**
 * Publishes a complete segment in place of everything the module served, and stores its source, in one transaction.
 * Throws `module-changed` if the module was removed or swapped since `module` was read, and RunStopped if the lease is
 * lost.
 */
export async function publishWhole(
  ctx: Context,
  lease: JobLease,
  module: ModuleRow,
  built: BuiltSegment,
): Promise<void> {
  const { source } = JSON.parse(lease.row.settings) as JobSettings;
  const { pageCount, snippetCount, tokenCount, byteCount } = built;
  await swap(ctx, lease, module, built, {
    segmentIds: (id) => [id],
    dropped: 'all others',
    change: {
      ...{ pageCount, snippetCount, tokenCount, byteCount },
      source: JSON.stringify(source),
      kind: lease.row.kind,
    },
  });
}

/** Publishes changed pages over the served version, replacing those published before; throws like `publishWhole`. */
export async function publishChanges(
  ctx: Context,
  lease: JobLease,
  module: ModuleRow,
  built: BuiltSegment,
  replaced: LiveSegment | undefined,
): Promise<LiveSegment> {
  const id = await swap(ctx, lease, module, built, {
    segmentIds: (newId) => [...segmentIdsOf(module).filter((served) => served !== replaced?.id), newId],
    dropped: replaced === undefined ? [] : [replaced.id],
    change: { byteCount: module.byteCount + built.byteCount - (replaced?.byteCount ?? 0) },
  });
  return { id, byteCount: built.byteCount };
}

/**
 * Returns the module as of its last complete version, without the changed pages that runs have published over it since.
 */
export async function wholeVersionOf(db: Queries, module: ModuleRow): Promise<ModuleRow> {
  const [whole] = await findSegments(db, segmentIdsOf(module).slice(0, 1));
  return whole === undefined ? module : { ...module, segments: JSON.stringify([whole.id]), byteCount: whole.byteCount };
}

/**
 * Reverts the changed pages that runs have published over the served version, so that a failed run leaves the module
 * unchanged.
 */
export async function takeBackChanges(tx: Transaction, moduleRowId: string | null, now: number): Promise<void> {
  const module = await findModuleById(tx, moduleRowId ?? '');
  const [, ...changes] = module === undefined ? [] : segmentIdsOf(module);
  if (module === undefined || changes.length === 0) return;
  const { segments, byteCount } = await wholeVersionOf(tx, module);
  const restored = await swapSegments(tx, module, { segments, byteCount });
  if (restored === undefined) return;
  announceChange(tx, { collection: 'modules', audience: restored.workspace });
  await markSegmentsDropped(tx, changes, now);
}

/** Returns the module's current row; throws if it was removed meanwhile, which ends the run. */
export async function currentModule(ctx: Context, moduleRowId: string): Promise<ModuleRow> {
  const row = await findModuleById(ctx.db.query, moduleRowId);
  if (row === undefined) throw new AppError('module-changed');
  return row;
}

async function swap(
  ctx: Context,
  lease: JobLease,
  module: ModuleRow,
  built: BuiltSegment,
  to: { segmentIds: (newId: string) => string[]; dropped: string[] | 'all others'; change: Partial<ModuleRow> },
): Promise<string> {
  const now = ctx.clock.now();
  const id = randomUUID();
  const { blobKey, pageCount, snippetCount, byteCount } = built;
  await ctx.db.transaction(async (tx) => {
    // Before the run, because changes of a team's runs lock the team first.
    if (to.dropped === 'all others') await requireRoomInPlan(tx, ctx, module, built);
    // The module may have been renamed meanwhile: use the run's current name.
    const { displayName } = await lease.confirm(tx);
    await insertSegment(tx, { id, moduleId: module.id, blobKey, pageCount, snippetCount, byteCount, createdAt: now });
    const segments = JSON.stringify(to.segmentIds(id));
    const named = to.dropped === 'all others' ? { displayName } : {};
    const swapped = await swapSegments(tx, module, { ...to.change, ...named, segments, lastUpdatedAt: now });
    if (swapped === undefined) throw new AppError('module-changed');
    announceChange(tx, { collection: 'modules', audience: swapped.workspace });
    if (to.dropped !== 'all others') return markSegmentsDropped(tx, to.dropped, now);
    await markOtherSegmentsDropped(tx, module.id, [id], now);
    await dropHeldOf(tx, module.id);
  });
  return id;
}

async function deleteUnlessPublished(ctx: Context, blobs: Blobs, blobKey: string): Promise<void> {
  try {
    // The transaction may have been committed although its confirmation was lost.
    if ((await findSegmentByKey(ctx.db.query, blobKey)) === undefined) await blobs.delete(blobKey);
  } catch (error) {
    ctx.log.warn({ err: error, blobKey }, 'a segment that is not served could not be deleted');
  }
}
