/**
 * Upper bounds in milliseconds; the last one includes longer calls, although a call takes at most 70 seconds. Closer
 * together in the range of searches, so that a percentile read from them is off by at most a fifth.
 */
export const latencyBounds = [
  1, 2, 3, 5, 7, 10, 14, 20, 28, 40, 55, 75, 100, 140, 200, 280, 400, 550, 750, 1_000, 1_400, 2_000, 2_800, 4_000,
  5_500, 7_500, 10_000, 20_000, 40_000, 70_000,
] as const;

export type LatencyKind = 'search' | 'read';

export interface LatencyCount {
  /** Start of the minute or slot. */
  at: number;
  kind: LatencyKind;
  bucket: number;
  calls: number;
  errors: number;
}

/** Counts this process's calls until they are written to the database. */
export interface LatencyCounts {
  /** Counts a call; costs a clock reading and an addition. */
  record(kind: LatencyKind, tookMs: number, isError: boolean): void;
  /** Returns all counts and resets them. */
  take(): LatencyCount[];
  /** Returns all counts without resetting them. */
  peek(): LatencyCount[];
  /** Adds counts back that could not be written. */
  giveBack(counts: LatencyCount[]): void;
}

const minuteMs = 60_000;
/** Counts older than this are dropped while the database is unavailable, to limit memory. */
const minutesKept = 120;

export function bucketOf(tookMs: number): number {
  return latencyBounds.find((bound) => tookMs <= bound) ?? latencyBounds[latencyBounds.length - 1] ?? 0;
}

/** Creates the counts; `now` returns epoch milliseconds. */
export function createLatencyCounts(now: () => number): LatencyCounts {
  const counts = new Map<string, LatencyCount>();
  const add = (count: LatencyCount) => {
    const key = `${count.at} ${count.kind} ${count.bucket}`;
    const known = counts.get(key);
    if (known === undefined) {
      counts.set(key, { ...count });
      return;
    }
    known.calls += count.calls;
    known.errors += count.errors;
  };
  return {
    record(kind, tookMs, isError) {
      const time = now();
      const at = time - (time % minuteMs);
      add({ at, kind, bucket: bucketOf(tookMs), calls: 1, errors: isError ? 1 : 0 });
    },
    take() {
      // A fixed order, so that processes adding to the same rows cannot deadlock.
      const taken = [...counts.values()].sort((a, b) => a.at - b.at || compare(a.kind, b.kind) || a.bucket - b.bucket);
      counts.clear();
      return taken;
    },
    peek: () => [...counts.values()],
    giveBack(taken) {
      const oldest = now() - minutesKept * minuteMs;
      for (const count of taken) if (count.at >= oldest) add(count);
    },
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
