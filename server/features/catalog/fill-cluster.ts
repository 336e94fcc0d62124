import type { Context } from '#server/context.ts';
import { createByteCache, openSegment, pooledSnippets } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { SearchCluster } from '#server/platform/search-cluster/index.ts';
import {
  changeClusterSegment,
  claimSegment,
  deleteClusterSegment,
  forgetOtherIndexes,
  listClusterLeftovers,
  listSegmentsToWrite,
  type SegmentToWrite,
} from './cluster-store.ts';
import { isDamage } from './segment-damage.ts';

/** A writer that was killed is followed by another after this. */
const leaseMs = 5 * 60_000;
/** A segment that cannot be read is looked at again after this. */
const damagedMs = 60 * 60_000;
const writerCacheBytes = 8 * 1024 * 1024;

export interface FillDependencies {
  blobs: Blobs;
  cluster: SearchCluster;
}

/**
 * Brings the search cluster to what is served: writes the segments that are not there, and removes what is left of those
 * that are deleted. A segment counts as there once all of it can be found, until then it is searched without the cluster; so
 * what happens on the way is seen by no one. Safe in several processes at once. Throws SearchClusterError.
 */
export async function fillCluster(ctx: Context, deps: FillDependencies, signal?: AbortSignal): Promise<void> {
  const indexIds = await deps.cluster.prepare();
  await forgetOtherIndexes(ctx.db.query, Object.values(indexIds));
  for (const segment of await listSegmentsToWrite(ctx.db.query, ctx.clock.now())) {
    signal?.throwIfAborted();
    const indexId = segment.workspace === 'public' ? indexIds.public : indexIds.private;
    await writeSegment(ctx, deps, segment, { indexId, signal });
  }
  for (const { segmentId, tenant } of await listClusterLeftovers(ctx.db.query, ctx.clock.now())) {
    signal?.throwIfAborted();
    await deps.cluster.drop({ segmentId, tenant });
    await deleteClusterSegment(ctx.db.query, segmentId);
  }
}

async function writeSegment(
  ctx: Context,
  { blobs, cluster }: FillDependencies,
  { id: segmentId, blobKey, workspace }: SegmentToWrite,
  { indexId, signal }: { indexId: string; signal: AbortSignal | undefined },
): Promise<void> {
  const now = ctx.clock.now();
  const leaseUntil = now + leaseMs;
  const claim = { segmentId, tenant: workspace, indexId, leaseUntil, readyAt: null };
  const claimed = await claimSegment(ctx.db.query, claim, now);
  if (claimed === undefined) return;
  const place = { segmentId, tenant: claimed.tenant };
  const prolong = async () => {
    await changeClusterSegment(ctx.db.query, segmentId, { leaseUntil: ctx.clock.now() + leaseMs });
  };
  try {
    const blob = await blobs.open(blobKey);
    try {
      const segment = openSegment(blob, createByteCache(writerCacheBytes));
      await cluster.write(place, pooledSnippets(segment), { signal, onProgress: prolong });
    } finally {
      blob.close();
    }
    const over = { leaseUntil: 0, readyAt: ctx.clock.now() };
    // The caller that removed the row also removes the passages written by then.
    if (!(await changeClusterSegment(ctx.db.query, segmentId, over))) await cluster.drop(place);
  } catch (error) {
    const until = isDamage(error) ? ctx.clock.now() + damagedMs : 0;
    await changeClusterSegment(ctx.db.query, segmentId, { leaseUntil: until });
    if (!isDamage(error)) throw error;
    ctx.log.error({ err: error, segmentId }, 'a segment that cannot be read is not written to the search cluster');
  }
}
