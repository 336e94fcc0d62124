import { limits } from '#contract/limits.ts';
import type { Context } from '#server/context.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import { listSpoolIdsInUse } from './job-store.ts';
import { deleteSegmentRow, findModuleById, listAllModules, listDroppedSegments, listSegments } from './module-store.ts';
import { vectorsOfSegment, vectorsPrefix } from './passage-vectors.ts';
import { crawlKeyOf } from './previous-version.ts';
import type { OpenShelf } from './shelf.ts';

/** Calls under way finish on the version they began with, in this process and in others. */
const graceMs = (limits.callTimeoutSeconds + 20) * 1000;
/** A failed run can be taken up again for this long. */
const spoolLifetimeMs = 7 * 24 * 60 * 60_000;

/** Deletes the blobs of segments that were replaced or removed a while ago, and closes in this process what is gone. */
export async function sweepDroppedSegments(ctx: Context, deps: { blobs: Blobs; shelf: OpenShelf }): Promise<void> {
  for (const segment of await listDroppedSegments(ctx.db.query, ctx.clock.now() - graceMs)) {
    await deps.blobs.delete(segment.blobKey);
    for (const key of await deps.blobs.list(vectorsOfSegment(segment.id))) await deps.blobs.delete(key);
    const isModuleGone = (await findModuleById(ctx.db.query, segment.moduleId)) === undefined;
    if (isModuleGone) await deps.blobs.delete(crawlKeyOf(segment.moduleId));
    await deleteSegmentRow(ctx.db.query, segment.id);
  }
  await deps.shelf.closeGone();
}

/**
 * Deletes blobs that nothing refers to: what was written just before a process was killed. Only for the one process
 * that owns the data folder, before it runs anything.
 */
export async function sweepOrphans(ctx: Context, blobs: Blobs): Promise<void> {
  const segments = await listSegments(ctx.db.query);
  const segmentKeys = new Set(segments.map(({ blobKey }) => blobKey));
  const segmentIds = new Set(segments.map(({ id }) => id));
  const modules = await listAllModules(ctx.db.query);
  const crawlKeys = new Set(modules.map((module) => crawlKeyOf(module.id)));
  const spoolIds = new Set(await listSpoolIdsInUse(ctx.db.query, ctx.clock.now() - spoolLifetimeMs));
  for (const key of await blobs.list('segments/')) if (!segmentKeys.has(key)) await blobs.delete(key);
  for (const key of await blobs.list(vectorsPrefix)) {
    if (!segmentIds.has(key.split('/')[1] ?? '')) await blobs.delete(key);
  }
  for (const key of await blobs.list('crawls/')) if (!crawlKeys.has(key)) await blobs.delete(key);
  for (const key of await blobs.list('runs/')) if (!spoolIds.has(key.split('/')[1] ?? '')) await blobs.delete(key);
}
