import * as limits from '#contract/limits.ts';
import { plans } from '#contract/plans.ts';
import type { Context } from '#server/context.ts';
import {
  deleteSegmentRow,
  findModuleById,
  listDroppedSegments,
  type OpenShelf,
  vectorsOfSegment,
} from '#server/features/catalog/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { deleteForGood, deleteFromTrash, moveToTrash } from '#server/platform/blobs/trash.ts';
import { listSpoolIds, listSpoolsInUse } from './job-store.ts';
import { crawlKeyOf } from './previous-version.ts';

/** Time for active calls, in all processes, to finish on the version they started with. */
const graceMs = (limits.callTimeoutSeconds + 20) * 1000;

/**
 * Deletes segments that were replaced or removed a while ago, and closes them in this process. Replaced segments go to
 * the trash, because yesterday's backup refers to them. Nothing is kept of removed modules.
 */
export async function sweepDroppedSegments(ctx: Context, deps: { blobs: Blobs; shelf: OpenShelf }): Promise<void> {
  const now = ctx.clock.now();
  const store = { blobs: deps.blobs, log: ctx.log };
  for (const segment of await listDroppedSegments(ctx.db.query, now - graceMs)) {
    const isModuleGone = (await findModuleById(ctx.db.query, segment.moduleId)) === undefined;
    if (isModuleGone) {
      const reason = 'its module was removed';
      for (const prefix of [segment.blobKey, vectorsOfSegment(segment.id), crawlKeyOf(segment.moduleId)]) {
        await deleteForGood(store, prefix, reason);
      }
      await deleteFromTrash(store, `segments/${segment.moduleId}/`, reason);
    } else {
      await moveToTrash(store, segment.blobKey, { now, reason: 'it was replaced' });
      await deleteForGood(store, vectorsOfSegment(segment.id), 'its segment was replaced');
    }
    await deleteSegmentRow(ctx.db.query, segment.id);
  }
  await deps.shelf.closeGone();
}

/** Spools of failed runs per workspace, kept for resuming, take at most as much as a small index. */
const keptBytesMax = plans.Free.indexBytes;

/**
 * Deletes spools of ended runs that will not be resumed: because of their rows, or because later runs of the workspace
 * used up the space.
 */
export async function sweepEndedSpools(ctx: Context, { blobs }: { blobs: Blobs }): Promise<void> {
  const bytesOf = new Map<string, number>();
  for (const { key, byteLength } of await blobs.entries('runs/')) {
    const id = key.split('/')[1] ?? '';
    bytesOf.set(id, (bytesOf.get(id) ?? 0) + byteLength);
  }
  if (bytesOf.size === 0) return;
  const known = await listSpoolIds(ctx.db.query);
  const kept = new Set<string>();
  const keptBytes = new Map<string, number>();
  for (const { spoolId, workspace, isRunning } of await listSpoolsInUse(ctx.db.query, ctx.clock.now())) {
    if (kept.has(spoolId)) continue;
    const bytes = isRunning ? 0 : (keptBytes.get(workspace) ?? 0) + (bytesOf.get(spoolId) ?? 0);
    if (bytes > keptBytesMax) continue;
    kept.add(spoolId);
    if (!isRunning) keptBytes.set(workspace, bytes);
  }
  for (const id of known) {
    if (!bytesOf.has(id) || kept.has(id)) continue;
    await deleteForGood({ blobs, log: ctx.log }, `runs/${id}/`, 'its run is over');
  }
}
