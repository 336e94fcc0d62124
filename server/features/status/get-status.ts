import { incidentLimits, type StatusHistory, type StatusReport, statusKept } from '#contract/status.ts';
import { type StatusPart, statusPartNames, statusParts } from '#contract/status-parts.ts';
import type { Context } from '#server/context.ts';
import { getPublicFigures } from '#server/features/catalog/index.ts';
import { getQueueFigures } from '#server/features/indexing/index.ts';
import type { StatusDependencies } from './dependencies.ts';
import { listOpenRows } from './incident-store.ts';
import { presentIncidents } from './incidents.ts';
import { freshMs, judgeDay, judgePart, judgeWhole, type PartNow } from './judge.ts';
import type { Sampling } from './measure-status.ts';
import { type DayOfPart, listMinutes, type SampleRow, sumDays } from './store.ts';

const lastReports = new WeakMap<Sampling, StatusReport>();
/** Number of most recently indexed public modules to list. */
const modulesListed = 8;

/**
 * Returns the installation's current state, measured in the last minutes. Readable by everyone, so it names only public
 * modules and otherwise contains only numbers. If the database is unavailable, the report says so. Cached for 15
 * seconds.
 */
export async function getStatus(ctx: Context, { sampling, cache }: StatusDependencies): Promise<StatusReport> {
  return cache.answer('status', ctx.clock.now(), () =>
    readReport(ctx, sampling).then(
      (report) => {
        lastReports.set(sampling, report);
        return report;
      },
      (error: unknown) => {
        ctx.log.error({ err: error }, 'the status could not be read from the database');
        return withoutDatabase(ctx.clock.now(), sampling, lastReports.get(sampling));
      },
    ),
  );
}

async function readReport(ctx: Context, sampling: Sampling): Promise<StatusReport> {
  const now = ctx.clock.now();
  const db = ctx.db.query;
  const longest = Math.max(...statusPartNames.map(freshMs));
  const samples = withOwn(await listMinutes(db, { from: now - longest, to: now }), sampling);
  const queue = await getQueueFigures(ctx);
  const { modules, latest } = await getPublicFigures(ctx, modulesListed);
  const incidents = await presentIncidents(db, await listOpenRows(db, incidentLimits.listed), now);
  const told = incidents.filter(({ phase }) => phase !== 'past');
  const oldestWaitMs = queue.oldestWaitingSince === null ? 0 : Math.max(0, now - queue.oldestWaitingSince);
  const checks = configuredParts(sampling).map((part) => ({
    ...{ part, label: statusParts[part].label },
    ...(part === 'jobs' ? judgeJobs(samples, oldestWaitMs, now) : judgePart(part, samples, now)),
  }));
  // With nothing to search, an unknown search state does not count.
  const judged = checks.filter(({ part, state }) => part !== 'search' || modules > 0 || state !== 'unknown');
  const severities = told
    .filter(({ kind, phase }) => kind === 'incident' && phase === 'current')
    .map(({ severity }) => severity);
  const measured = checks.flatMap(({ measuredAt }) => (measuredAt === null ? [] : [measuredAt]));
  return {
    state: judgeWhole(judged, severities),
    at: now,
    measuredAt: measured.length === 0 ? null : Math.max(...measured),
    checks,
    queue: {
      ...{ waiting: queue.waiting, running: queue.running },
      oldestWaitSeconds: queue.oldestWaitingSince === null ? null : Math.round(oldestWaitMs / 1_000),
    },
    index: { modules, lastIndexedAt: latest[0]?.lastUpdatedAt ?? null, latest },
    incidents: told,
  };
}

/** Returns the status without the database: this process's own measurements, and the last known incidents. */
function withoutDatabase(now: number, sampling: Sampling, known: StatusReport | undefined): StatusReport {
  const samples = withOwn([], sampling);
  const checks = configuredParts(sampling).map((part) => ({
    ...{ part, label: statusParts[part].label },
    ...(part === 'database'
      ? { state: 'down' as const, measuredAt: null, tookMs: null }
      : judgePart(part, samples, now)),
  }));
  const measured = checks.flatMap(({ measuredAt }) => (measuredAt === null ? [] : [measuredAt]));
  const measuredAt = measured.length === 0 ? null : Math.max(...measured);
  const incidents = known?.incidents ?? [];
  return { state: 'down', at: now, measuredAt, checks, queue: null, index: null, incidents };
}

/** Judges the jobs: a run waiting while no worker reports is not going to start. */
function judgeJobs(samples: SampleRow[], oldestWaitMs: number, now: number): PartNow {
  const judged = judgePart('jobs', samples, now);
  return judged.state === 'unknown' && oldestWaitMs > freshMs('jobs') ? { ...judged, state: 'down' } : judged;
}

/** Adds this process's last results, even if the database could not store them. */
function withOwn(samples: SampleRow[], { recent }: Sampling): SampleRow[] {
  const own = [...recent.values()];
  const isOwn = (row: SampleRow) =>
    own.some(({ at, part, process }) => at === row.at && part === row.part && process === row.process);
  return [...samples.filter((row) => !isOwn(row)), ...own];
}

/** Returns the configured parts, in display order. */
function configuredParts({ probes, elsewhere }: Sampling): StatusPart[] {
  return statusPartNames.filter((name) => elsewhere.includes(name) || probes.some(({ part }) => part === name));
}

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
