import type { Queries } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { Row, Workspace } from '#server/platform/db/schema.ts';
import { segmentIdsOf } from './module-store.ts';

export type ClusterSegmentRow = Row<'clusterSegments'>;

/** A segment that a module serves and that no one has written, or is writing, to the search cluster. */
export interface SegmentToWrite {
  id: string;
  blobKey: string;
  workspace: Workspace;
}

/** Of these segments, those whose snippets are all in the cluster. */
export async function findReadyPlaces(
  db: Queries,
  segmentIds: string[],
): Promise<Pick<ClusterSegmentRow, 'segmentId' | 'tenant'>[]> {
  if (segmentIds.length === 0) return [];
  return db
    .selectFrom('clusterSegments')
    .select(['segmentId', 'tenant'])
    .where('readyAt', 'is not', null)
    .where('segmentId', 'in', segmentIds)
    .execute();
}

/** Where a segment lies in the cluster, and its file. */
export type WrittenPlace = Pick<ClusterSegmentRow, 'segmentId' | 'tenant'> & { blobKey: string };

/** Segments that modules serve: how many there are, and those of them that are in the cluster, as the rows say. */
export async function listServedPlaces(db: Queries): Promise<{ served: number; written: WrittenPlace[] }> {
  const modules = await db.selectFrom('modules').select('segments').where('lastUpdatedAt', 'is not', null).execute();
  const served = new Set(modules.flatMap(segmentIdsOf));
  const ready = await db
    .selectFrom('clusterSegments')
    .innerJoin('segments', 'segments.id', 'clusterSegments.segmentId')
    .select(['segmentId', 'tenant', 'blobKey'])
    .where('readyAt', 'is not', null)
    .execute();
  return { served: served.size, written: ready.filter(({ segmentId }) => served.has(segmentId)) };
}

/** The longest that a segment is left alone: it could not be read. */
export const leaseMsMax = 60 * 60_000;

function isLeaseOver(now: number) {
  return hasCome('clusterSegments.leaseUntil', now, leaseMsMax);
}

/** Oldest first. */
export async function listSegmentsToWrite(db: Queries, now: number): Promise<SegmentToWrite[]> {
  const rows = await db
    .selectFrom('segments')
    .innerJoin('modules', 'modules.id', 'segments.moduleId')
    .leftJoin('clusterSegments', 'clusterSegments.segmentId', 'segments.id')
    .select(['segments.id', 'segments.blobKey', 'modules.workspace', 'modules.segments as served'])
    .where('segments.droppedAt', 'is', null)
    .where('clusterSegments.readyAt', 'is', null)
    .where((where) => where.or([where('clusterSegments.leaseUntil', 'is', null), isLeaseOver(now)]))
    .orderBy('segments.createdAt')
    .execute();
  // A version that is held back is kept and not served.
  return rows.filter(({ id, served }) => segmentIdsOf({ segments: served }).includes(id));
}

/**
 * Takes a segment to write it; undefined when someone else has it. One that was begun before stays where it was begun,
 * so that all its snippets are found again.
 */
export async function claimSegment(db: Queries, row: ClusterSegmentRow, now: number) {
  return db
    .insertInto('clusterSegments')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .column('segmentId')
        .doUpdateSet({ leaseUntil: row.leaseUntil })
        .where('clusterSegments.readyAt', 'is', null)
        .where(isLeaseOver(now)),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Changes a row; false when it is gone. */
export async function changeClusterSegment(
  db: Queries,
  segmentId: string,
  change: Partial<Pick<ClusterSegmentRow, 'leaseUntil' | 'readyAt'>>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('clusterSegments')
    .set(change)
    .where('segmentId', '=', segmentId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Forgets what was written to indexes that are no more: it will be written again. */
export async function forgetOtherIndexes(db: Queries, indexIds: string[]): Promise<void> {
  await db.deleteFrom('clusterSegments').where('indexId', 'not in', indexIds).execute();
}

/** Has every segment written to the cluster once more: what is there is not what the rows say. */
export async function rewriteCluster(db: Queries): Promise<void> {
  await db.updateTable('clusterSegments').set({ readyAt: null, leaseUntil: 0 }).execute();
}

/** What lies in the cluster, whole or in part, of segments that are deleted. */
export async function listClusterLeftovers(db: Queries, now: number): Promise<ClusterSegmentRow[]> {
  return db
    .selectFrom('clusterSegments')
    .leftJoin('segments', 'segments.id', 'clusterSegments.segmentId')
    .selectAll('clusterSegments')
    .where('segments.id', 'is', null)
    .where(isLeaseOver(now))
    .execute();
}

export async function deleteClusterSegment(db: Queries, segmentId: string): Promise<void> {
  await db.deleteFrom('clusterSegments').where('segmentId', '=', segmentId).execute();
}
