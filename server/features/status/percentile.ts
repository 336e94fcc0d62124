import { latencyBounds } from './latency-counts.ts';

/**
 * The value below which `share` of the calls lie, in milliseconds: read from the buckets, calls within one taken to be
 * spread evenly. Null without calls. `buckets` maps an upper bound to its calls.
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
