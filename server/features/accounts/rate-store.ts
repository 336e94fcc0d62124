import { sql } from 'kysely';
import type { Queries } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';

/**
 * Counts one more in a bucket and answers the count. A window that is over, or that began in the future because the
 * clock was set back, starts again.
 */
export async function countUp(
  db: Queries,
  bucket: string,
  now: number,
  windowMs: number,
): Promise<{ count: number; endsAt: number }> {
  const isOver = sql<boolean>`(rate_counts.ends_at <= ${now} or rate_counts.started_at > ${now})`;
  return db
    .insertInto('rateCounts')
    .values({ bucket, startedAt: now, endsAt: now + windowMs, count: 1 })
    .onConflict((conflict) =>
      conflict.column('bucket').doUpdateSet({
        count: sql<number>`case when ${isOver} then 1 else rate_counts.count + 1 end`,
        startedAt: sql<number>`case when ${isOver} then excluded.started_at else rate_counts.started_at end`,
        endsAt: sql<number>`case when ${isOver} then excluded.ends_at else rate_counts.ends_at end`,
      }),
    )
    .returning(['count', 'endsAt'])
    .executeTakeFirstOrThrow();
}

export async function lowerRateCount(db: Queries, bucket: string): Promise<void> {
  await db
    .updateTable('rateCounts')
    .set((expression) => ({ count: expression('count', '-', 1) }))
    .where('bucket', '=', bucket)
    .where('count', '>', 0)
    .execute();
}

/** Deletes a bucket and those that narrow it down; names are made of letters, digits, - and : only. */
export async function deleteRateCounts(db: Queries, bucket: string): Promise<void> {
  await db
    .deleteFrom('rateCounts')
    .where((where) => where.or([where('bucket', '=', bucket), where('bucket', 'like', `${bucket}:%`)]))
    .execute();
}

export async function deleteEndedRateCounts(db: Queries, now: number): Promise<void> {
  await deleteOldest(db, 'rateCounts', { key: ['bucket'], column: 'endsAt', before: now + 1 });
}
