import type { Context } from '#server/context.ts';
import { createByteCache, openSegment, pooledSnippets } from '#server/engine/index.ts';
import type { Blobs } from '#server/platform/blobs/index.ts';
import type { SearchCluster } from '#server/platform/search-cluster/index.ts';
import type { Claim } from '#server/platform/store-claim.ts';
import { claimCluster } from './claim-cluster.ts';
import {
  changeClusterSegment,
  claimSegment,
  deleteClusterSegment,
  forgetOtherIndexes,
  leaseMsMax,
  listClusterLeftovers,
  listSegmentsToWrite,
  type SegmentToWrite,
  type WrittenPlace,
} from './cluster-store.ts';
import { isDamage } from './segment-damage.ts';

/** A writer that was killed is followed by another after this. */
const leaseMs = 5 * 60_000;
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
export async function fillCluster(
  ctx: Context,
  deps: FillDependencies & { claim: Claim },
  signal?: AbortSignal,
): Promise<void> {
  const indexIds = await deps.cluster.prepare(signal);
  if (!(await claimCluster(ctx, deps.cluster, deps.claim))) return;
  await forgetOtherIndexes(ctx.db.query, Object.values(indexIds));
  for (const segment of await listSegmentsToWrite(ctx.db.query, ctx.clock.now())) {
    signal?.throwIfAborted();
    const indexId = segment.workspace === 'public' ? indexIds.public : indexIds.private;
    await writeSegment(ctx, deps, segment, { indexId, signal });
  }
  const leftovers = await listClusterLeftovers(ctx.db.query, ctx.clock.now());
  // A database that is put back to before this moment notices it.
  if (leftovers.length > 0) await deps.claim.take();
  for (const { segmentId, tenant } of leftovers) {
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
    const until = isDamage(error) ? ctx.clock.now() + leaseMsMax : 0;
    await changeClusterSegment(ctx.db.query, segmentId, { leaseUntil: until });
    if (!isDamage(error)) throw error;
    ctx.log.error({ err: error, segmentId }, 'a segment that cannot be read is not written to the search cluster');
  }
}

/** Returns how many of these segments the cluster does not have whole. One that cannot be read is left out: its module says so. */
export async function countLacking(
  { blobs, cluster }: FillDependencies,
  written: readonly WrittenPlace[],
): Promise<number> {
  let lacking = 0;
  for (const place of written) {
    const expected = await countSnippets(blobs, place.blobKey).catch(() => undefined);
    if (expected !== undefined && (await cluster.count(place)) !== expected) lacking += 1;
  }
  return lacking;
}

async function countSnippets(blobs: Blobs, blobKey: string): Promise<number> {
  const blob = await blobs.open(blobKey);
  try {
    return openSegment(blob, createByteCache(writerCacheBytes)).snippetCount;
  } finally {
    blob.close();
  }
}
