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

/** After this, another process takes over from a writer that was killed. */
const leaseMs = 5 * 60_000;
const writerCacheBytes = 8 * 1024 * 1024;

export interface FillDependencies {
  blobs: Blobs;
  cluster: SearchCluster;
}

/**
 * Synchronizes the search cluster with the served segments: writes missing ones and removes deleted ones. A segment is
 * searched without the cluster until all of it can be found there, so users see no intermediate state. Safe to run in
 * several processes at once. Throws SearchClusterError.
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
  // Renew the claim, so that a database restored to an earlier state is detected.
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
    // The row is gone: its deletion dropped only the passages written by then, so drop the rest.
    if (!(await changeClusterSegment(ctx.db.query, segmentId, over))) await cluster.drop(place);
  } catch (error) {
    const until = isDamage(error) ? ctx.clock.now() + leaseMsMax : 0;
    await changeClusterSegment(ctx.db.query, segmentId, { leaseUntil: until });
    if (!isDamage(error)) throw error;
    ctx.log.error({ err: error, segmentId }, 'a segment that cannot be read is not written to the search cluster');
  }
}

/**
 * Returns how many of these segments are incomplete in the cluster. Unreadable segments are skipped: their module
 * reports them.
 */
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
