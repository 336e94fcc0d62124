import { type StatusHistory, statusKept } from '#contract/status.ts';
import { type StatusPart, statusPartNames, statusParts } from '#contract/status-parts.ts';
import type { Context } from '#server/context.ts';
import type { StatusDependencies } from './dependencies.ts';
import { configuredParts } from './get-status.ts';
import { judgeDay } from './judge.ts';
import { type DayOfPart, sumDays } from './store.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

/**
 * Returns the checks' results for each of the last 90 days, including today. Days without checks are marked as unknown.
 * Cached for 15 seconds.
 */
export async function getStatusHistory(ctx: Context, { sampling, cache }: StatusDependencies): Promise<StatusHistory> {
  return cache.answer('history', ctx.clock.now(), async () => {
    const now = ctx.clock.now();
    const today = now - (now % dayMs);
    const from = today - (statusKept.hoursDays - 1) * dayMs;
    const sums = await sumDays(ctx.db.query, { from, to: now });
    const configured = configuredParts(sampling);
    const shown = statusPartNames.filter((part) => configured.includes(part) || sums.some((sum) => sum.part === part));
    const days = Array.from({ length: statusKept.hoursDays }, (_, place) => from + place * dayMs);
    const firsts = sums.map(({ firstAt }) => firstAt);
    return {
      at: now,
      since: firsts.length === 0 ? null : Math.min(...firsts),
      parts: shown.map((part) => historyOf(part, sums, days, now)),
    };
  });
}

function historyOf(part: StatusPart, sums: DayOfPart[], days: number[], now: number): StatusHistory['parts'][number] {
  const own = new Map(sums.filter((sum) => sum.part === part).map((sum) => [sum.day, sum]));
  const all = [...own.values()];
  const failed = all.reduce((sum, { bad }) => sum + bad, 0);
  const checks = all.reduce((sum, { good, impaired, bad }) => sum + good + impaired + bad, 0);
  return {
    part,
    label: statusParts[part].label,
    uptime: checks === 0 ? null : (checks - failed) / checks,
    days: days.map((day) => dayOf(part, day, own.get(day), now)),
  };
}

function dayOf(part: StatusPart, at: number, sum: DayOfPart | undefined, now: number) {
  if (sum === undefined) return { at, state: 'unknown' as const, measured: 0, checks: 0, impaired: 0, failed: 0 };
  const { good, impaired, bad, minutes } = sum;
  const passedMinutes = Math.max(1, (Math.min(now, at + dayMs) - at) / minuteMs);
  return {
    at,
    state: judgeDay(sum),
    measured: Math.min(1, (minutes * statusParts[part].everyMinutes) / passedMinutes),
    ...{ checks: good + impaired + bad, impaired, failed: bad },
  };
}
