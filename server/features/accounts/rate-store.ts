import { sql } from 'kysely';
import type { Database, Queries } from '#server/platform/db/database.ts';
import { deleteOldest } from '#server/platform/db/delete-oldest.ts';

/** Short, because another process may uncount an attempt, or reset an account's attempts after a new password. */
const rememberedMs = 1_000;
const rememberedMax = 10_000;

/**
 * Remembers the buckets that just exceeded their limit: repeated attempts are refused without the database, so that a
 * flood of them causes one write per second.
 */
class SpentBuckets {
  readonly #ends = new Map<string, { until: number; endsAt: number }>();

  note(bucket: string, now: number, endsAt: number): void {
    this.#ends.delete(bucket);
    this.#ends.set(bucket, { until: Math.min(now + rememberedMs, endsAt), endsAt });
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > rememberedMax && oldest !== undefined) this.#ends.delete(oldest);
  }

  /** Returns when the window of a used-up bucket ends. */
  endOf(bucket: string, now: number): number | undefined {
    const spent = this.#ends.get(bucket);
    if (spent === undefined) return undefined;
    // The clock may have been set back.
    if (now < spent.until && now >= spent.until - rememberedMs) return spent.endsAt;
    this.#ends.delete(bucket);
    return undefined;
  }

  /** Forgets a bucket and its sub-buckets. */
  forget(bucket: string): void {
    for (const one of this.#ends.keys()) if (one === bucket || one.startsWith(`${bucket}:`)) this.#ends.delete(one);
  }
}

const ofDatabases = new WeakMap<Database, SpentBuckets>();

/** Returns this process's used-up buckets for a database. */
export function spentOf(db: Database): SpentBuckets {
  const known = ofDatabases.get(db) ?? new SpentBuckets();
  ofDatabases.set(db, known);
  return known;
}

/**
 * Increments a bucket's count and returns it. A window that is over, or that began in the future because the clock was
 * set back, starts again.
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

/** Deletes a bucket and its sub-buckets; names consist of letters, digits, - and : only. */
export async function deleteRateCounts(db: Queries, bucket: string): Promise<void> {
  await db
    .deleteFrom('rateCounts')
    .where((where) => where.or([where('bucket', '=', bucket), where('bucket', 'like', `${bucket}:%`)]))
    .execute();
}

export async function deleteEndedRateCounts(db: Queries, now: number): Promise<void> {
  await deleteOldest(db, 'rateCounts', { key: ['bucket'], column: 'endsAt', before: now + 1 });
}
