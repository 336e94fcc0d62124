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

/** Calls in progress finish on the version they began with, in this process and in others. */
const graceMs = (limits.callTimeoutSeconds + 20) * 1000;

/**
 * Clears away segments that were replaced or removed a while ago, and closes in this process what is gone. What a module served before
 * goes to the trash: a backup of yesterday names it. Of a module that was removed nothing is kept.
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

/** What failed runs of one workspace fetched and the next ones may go on from takes as much as a small index at most. */
const keptBytesMax = plans.Free.indexBytes;

/** Deletes what runs fetched that ended and are not taken up again: their rows say so, or later ones of the workspace fetched too much. */
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
