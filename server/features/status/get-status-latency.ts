import type { LatencyPoint, LatencyRange, StatusLatency } from '#contract/status.ts';
import type { Context } from '#server/context.ts';
import type { StatusDependencies } from './dependencies.ts';
import { type LatencyCount, latencyBounds } from './latency-counts.ts';
import { sumLatency } from './store.ts';

const minuteMs = 60_000;
const rangeSteps: Record<LatencyRange, { stepMinutes: number; steps: number }> = {
  '24h': { stepMinutes: 15, steps: 96 },
  '7d': { stepMinutes: 120, steps: 84 },
  '90d': { stepMinutes: 1_440, steps: 90 },
};

/**
 * Returns how long searches and reads took, over time. Intervals without calls have points without percentiles. Cached
 * for 15 seconds.
 */
export async function getStatusLatency(
  ctx: Context,
  { range }: { range: LatencyRange },
  { cache }: StatusDependencies,
): Promise<StatusLatency> {
  return cache.answer(`latency ${range}`, ctx.clock.now(), async () => {
    const now = ctx.clock.now();
    const { stepMinutes, steps } = rangeSteps[range];
    const stepMs = stepMinutes * minuteMs;
    const from = now - (now % stepMs) - (steps - 1) * stepMs;
    const slots = await sumLatency(ctx.db.query, { from, to: now, stepMs });
    const times = Array.from({ length: steps }, (_, place) => from + place * stepMs);
    const pointsOf = (kind: 'search' | 'read') => {
      const own = slots.filter((slot) => slot.kind === kind);
      return {
        points: times.map((at) =>
          pointOf(
            at,
            own.filter((slot) => slot.at === at),
          ),
        ),
        total: pointOf(from, own),
      };
    };
    const [search, read] = [pointsOf('search'), pointsOf('read')];
    return {
      ...{ at: now, stepMinutes, search: search.points, read: read.points },
      total: { search: search.total, read: read.total },
    };
  });
}

function pointOf(at: number, slots: LatencyCount[]): LatencyPoint {
  const buckets = new Map<number, number>();
  for (const { bucket, calls } of slots) buckets.set(bucket, (buckets.get(bucket) ?? 0) + calls);
  return {
    at,
    calls: slots.reduce((sum, { calls }) => sum + calls, 0),
    errors: slots.reduce((sum, { errors }) => sum + errors, 0),
    p50: percentileOf(buckets, 0.5),
    p95: percentileOf(buckets, 0.95),
  };
}

/**
 * Returns the value below which `share` of the calls lie, in milliseconds, assuming that calls are spread evenly within
 * a bucket. Null without calls. `buckets` maps an upper bound to its calls.
 */
export function percentileOf(buckets: ReadonlyMap<number, number>, share: number): number | null {
  const filled = [...buckets].filter(([, calls]) => calls > 0).sort(([a], [b]) => a - b);
  const total = filled.reduce((sum, [, calls]) => sum + calls, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let below = 0;
  for (const [bound, calls] of filled) {
    if (below + calls >= wanted) {
      const start = lowerBoundOf(bound);
      return Math.round(start + ((bound - start) * (wanted - below)) / calls);
    }
    below += calls;
  }
  return filled.at(-1)?.[0] ?? null;
}

function lowerBoundOf(bound: number): number {
  const place = latencyBounds.findIndex((known) => known === bound);
  return latencyBounds[place - 1] ?? 0;
}
