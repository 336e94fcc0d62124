import type { StatusState } from '#contract/status.ts';
import { type StatusPart, statusParts } from '#contract/status-parts.ts';
import type { SampleRow } from './store.ts';

const minuteMs = 60_000;

/** The current state of a part. */
export interface PartNow {
  state: StatusState;
  measuredAt: number | null;
  tookMs: number | null;
}

/** Returns how long a sample of this part counts as current: up to two missed rounds. */
export function freshMs(part: StatusPart): number {
  return (2 * statusParts[part].everyMinutes + 1) * minuteMs;
}

/**
 * Judges a part by its newest samples, those of one round from several processes. Down if all of them failed, degraded
 * if some failed or any was impaired. Unknown without a fresh sample.
 */
export function judgePart(part: StatusPart, samples: SampleRow[], now: number): PartNow {
  const fresh = samples.filter((sample) => sample.part === part && sample.at <= now && sample.at > now - freshMs(part));
  const newestAt = Math.max(...fresh.map(({ at }) => at));
  if (fresh.length === 0) return { state: 'unknown', measuredAt: null, tookMs: null };
  const round = newestOfEach(fresh.filter(({ at }) => at > newestAt - statusParts[part].everyMinutes * minuteMs));
  const isDown = round.every(({ good, impaired }) => good + impaired === 0);
  const isWell = round.every(({ impaired, bad }) => impaired + bad === 0);
  const state = isDown ? 'down' : isWell ? 'operational' : 'degraded';
  const counted = round.reduce((sum, { good, impaired, bad }) => sum + good + impaired + bad, 0);
  const took = round.reduce((sum, { tookMs }) => sum + tookMs, 0);
  return { state, measuredAt: newestAt, tookMs: Math.round(took / counted) };
}

/** Returns the newest sample of each process. */
function newestOfEach(samples: SampleRow[]): SampleRow[] {
  const newest = new Map<string, SampleRow>();
  for (const sample of samples) {
    const known = newest.get(sample.process);
    if (known === undefined || known.at < sample.at) newest.set(sample.process, sample);
  }
  return [...newest.values()];
}

/**
 * Judges the whole: down if an essential part is, or the operator says so; degraded if any other part is not
 * operational; unknown if any part is unknown. `severities` are those of open incidents.
 */
export function judgeWhole(
  parts: { part: StatusPart; state: StatusState }[],
  severities: ('minor' | 'major' | 'critical')[],
): StatusState {
  const essential = parts.filter(({ part }) => statusParts[part].isEssential);
  if (severities.includes('critical') || essential.some(({ state }) => state === 'down')) return 'down';
  if (severities.includes('major')) return 'degraded';
  if (parts.some(({ state }) => state === 'down' || state === 'degraded')) return 'degraded';
  return essential.length === 0 || parts.some(({ state }) => state === 'unknown') ? 'unknown' : 'operational';
}

/** A day counts as down if at least this share of its checks failed: over an hour of it. */
const downShare = 0.05;
/** A day with a smaller share of impaired checks counts as operational, unless a check failed. */
const impairedShare = 0.01;

/** Judges a day by its counts. */
export function judgeDay({ good, impaired, bad }: { good: number; impaired: number; bad: number }): StatusState {
  const checks = good + impaired + bad;
  if (checks === 0) return 'unknown';
  if (bad / checks >= downShare) return 'down';
  return bad > 0 || impaired / checks >= impairedShare ? 'degraded' : 'operational';
}
