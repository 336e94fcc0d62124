import type { Database } from '#server/platform/db/database.ts';

/** Short, since another process may take an attempt back, or forget all attempts on an account with a new password. */
const rememberedMs = 1_000;
const rememberedMax = 10_000;

/**
 * The buckets of attempts that were over their limit a moment ago: a caller who keeps trying is refused without the
 * database, so that a flood of refusals writes once a second and not each time.
 */
class SpentBuckets {
  readonly #ends = new Map<string, { until: number; endsAt: number }>();

  note(bucket: string, now: number, endsAt: number): void {
    this.#ends.delete(bucket);
    this.#ends.set(bucket, { until: Math.min(now + rememberedMs, endsAt), endsAt });
    const [oldest] = this.#ends.keys();
    if (this.#ends.size > rememberedMax && oldest !== undefined) this.#ends.delete(oldest);
  }

  /** When the window of a bucket ends that is known to be spent. */
  endOf(bucket: string, now: number): number | undefined {
    const spent = this.#ends.get(bucket);
    if (spent === undefined) return undefined;
    // The clock may have been set back.
    if (now < spent.until && now >= spent.until - rememberedMs) return spent.endsAt;
    this.#ends.delete(bucket);
    return undefined;
  }

  /** A bucket, and those that narrow it down. */
  forget(bucket: string): void {
    for (const one of this.#ends.keys()) if (one === bucket || one.startsWith(`${bucket}:`)) this.#ends.delete(one);
  }
}

const ofDatabases = new WeakMap<Database, SpentBuckets>();

/** What this process remembers of a database. */
export function spentOf(db: Database): SpentBuckets {
  const known = ofDatabases.get(db) ?? new SpentBuckets();
  ofDatabases.set(db, known);
  return known;
}
