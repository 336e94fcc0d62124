import type { StatusState } from '#contract/status.ts';
import { type StatusPart, statusParts } from '#contract/status-parts.ts';
import type { SampleRow } from './store.ts';

const minuteMs = 60_000;

/** What one part looks like now. */
export interface PartNow {
  state: StatusState;
  measuredAt: number | null;
  tookMs: number | null;
}

/** For how long a sample of this part speaks of the present: two rounds may be missed, no more. */
export function freshMs(part: StatusPart): number {
  return (2 * statusParts[part].everyMinutes + 1) * minuteMs;
}

/**
 * How a part is by its newest samples: those of one round, as several processes look. Down when all of them failed, degraded
 * when some failed or any was not in order. Without a fresh sample it is unknown: silence is no good news.
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

/** The newest sample of each process. */
function newestOfEach(samples: SampleRow[]): SampleRow[] {
  const newest = new Map<string, SampleRow>();
  for (const sample of samples) {
    const known = newest.get(sample.process);
    if (known === undefined || known.at < sample.at) newest.set(sample.process, sample);
  }
  return [...newest.values()];
}

/**
 * How the whole is: down with an essential part, or when the operator says so; degraded with any other; unknown when any part is:
 * what was not measured is not said to be well. `severities` are those of incidents that are open.
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

/** A day counts as down when one check in twenty failed: over an hour of it. */
const downShare = 0.05;
/** A day with less than one check in a hundred out of order counts as a good one, unless a check failed. */
const impairedShare = 0.01;

/** How a day was by its counts. */
export function judgeDay({ good, impaired, bad }: { good: number; impaired: number; bad: number }): StatusState {
  const checks = good + impaired + bad;
  if (checks === 0) return 'unknown';
  if (bad / checks >= downShare) return 'down';
  return bad > 0 || impaired / checks >= impairedShare ? 'degraded' : 'operational';
}
