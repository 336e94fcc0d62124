import type { Queries } from '#server/platform/db/database.ts';
import { hasCome } from '#server/platform/db/has-come.ts';
import type { Row, Workspace } from '#server/platform/db/schema.ts';
import { segmentIdsOf } from './module-store.ts';

export type ClusterSegmentRow = Row<'clusterSegments'>;

/** A served segment that is not in the search cluster and that no process is writing to it. */
export interface SegmentToWrite {
  id: string;
  blobKey: string;
  workspace: Workspace;
}

/** Returns those of these segments whose snippets are all in the cluster. */
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

/** The location of a segment in the cluster, and its file. */
export type WrittenPlace = Pick<ClusterSegmentRow, 'segmentId' | 'tenant'> & { blobKey: string };

/** Returns how many segments modules serve, and those of them that are in the cluster according to the rows. */
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

/** Longest lease, set when a segment could not be read: it is retried afterwards. */
export const leaseMsMax = 60 * 60_000;

function isLeaseOver(now: number) {
  return hasCome('clusterSegments.leaseUntil', now, leaseMsMax);
}

/** Returns the segments to write, oldest first. */
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
  // Segments of held-back versions are kept but not served.
  return rows.filter(({ id, served }) => segmentIdsOf({ segments: served }).includes(id));
}

/**
 * Claims a segment for writing; undefined if another process holds it. If writing was begun before, it continues in the
 * same place, so that all its snippets can be found.
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

/** Updates a row; returns false if it no longer exists. */
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

/** Forgets segments written to indexes that no longer exist, so that they are written again. */
export async function forgetOtherIndexes(db: Queries, indexIds: string[]): Promise<void> {
  await db.deleteFrom('clusterSegments').where('indexId', 'not in', indexIds).execute();
}

/** Schedules all segments to be written to the cluster again, because its contents do not match the rows. */
export async function rewriteCluster(db: Queries): Promise<void> {
  await db.updateTable('clusterSegments').set({ readyAt: null, leaseUntil: 0 }).execute();
}

/** Returns deleted segments that are still in the cluster, completely or partly. */
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
