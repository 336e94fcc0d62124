import { percentile } from '../eval/score.ts';

export interface Latency {
  count: number;
  p50Ms: number;
  p95Ms: number;
  p99Ms: number;
}

export function latencyOf(timesMs: number[]): Latency {
  return {
    count: timesMs.length,
    p50Ms: percentile(timesMs, 0.5),
    p95Ms: percentile(timesMs, 0.95),
    p99Ms: percentile(timesMs, 0.99),
  };
}
