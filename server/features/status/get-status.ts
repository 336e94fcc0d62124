import { incidentLimits, type StatusReport } from '#contract/status.ts';
import { type StatusPart, statusPartNames, statusParts } from '#contract/status-parts.ts';
import type { Context } from '#server/context.ts';
import { getPublicFigures } from '#server/features/catalog/index.ts';
import { getQueueFigures } from '#server/features/indexing/index.ts';
import type { StatusDependencies } from './dependencies.ts';
import { listOpenRows } from './incident-store.ts';
import { presentIncidents } from './incidents.ts';
import { freshMs, judgePart, judgeWhole, type PartNow } from './judge.ts';
import type { Sampling } from './measure-status.ts';
import { listMinutes, type SampleRow } from './store.ts';

/** What was read last, by what it was measured with. */
const lastReports = new WeakMap<Sampling, StatusReport>();
/** Modules of the public index named as those indexed last. */
const modulesListed = 8;

/**
 * How the installation is now: measured in the last minutes, never guessed. Everyone may read it, so it names public modules alone
 * and of the rest numbers. Answers also when the database does not: then that is what it says. Kept for 15 seconds.
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
  // With nothing to search, a search that was not tried says nothing.
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

/** Without the database: what this process saw of itself, and the incidents it knew of. */
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

/** A run that waits while no worker says that it is there waits for no one. */
function judgeJobs(samples: SampleRow[], oldestWaitMs: number, now: number): PartNow {
  const judged = judgePart('jobs', samples, now);
  return judged.state === 'unknown' && oldestWaitMs > freshMs('jobs') ? { ...judged, state: 'down' } : judged;
}

/** What this process found last counts also when the database could not take it. */
function withOwn(samples: SampleRow[], { recent }: Sampling): SampleRow[] {
  const own = [...recent.values()];
  const isOwn = (row: SampleRow) =>
    own.some(({ at, part, process }) => at === row.at && part === row.part && process === row.process);
  return [...samples.filter((row) => !isOwn(row)), ...own];
}

/** In the order they are shown. */
export function configuredParts({ probes, elsewhere }: Sampling): StatusPart[] {
  return statusPartNames.filter((name) => elsewhere.includes(name) || probes.some(({ part }) => part === name));
}
