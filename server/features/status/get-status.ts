import { incidentLimits, type StatusReport } from '#contract/status.ts';
import { type StatusPart, statusPartNames, statusParts } from '#contract/status-parts.ts';
import type { Context } from '#server/context.ts';
import { getPublicFigures, getQueueFigures } from '#server/features/library/index.ts';
import type { StatusDependencies } from './dependencies.ts';
import { listOpenRows } from './incident-store.ts';
import { freshMs, judgePart, judgeWhole } from './judge.ts';
import type { Sampling } from './measure-status.ts';
import { presentIncidents } from './present-incident.ts';
import { listMinutes } from './store.ts';

/** Modules of the public index named as those indexed last. */
const modulesListed = 8;

/**
 * How the installation is now: measured in the last minutes, never guessed. Everybody may read it, so it names public modules alone
 * and of the rest numbers. Answers also when the database does not: then that is what it says. Kept for 15 seconds.
 */
export async function getStatus(ctx: Context, { sampling, cache }: StatusDependencies): Promise<StatusReport> {
  return cache.answer('status', ctx.clock.now(), () =>
    readReport(ctx, sampling).catch((error: unknown) => {
      ctx.log.error({ err: error }, 'the status could not be read from the database');
      return withoutDatabase(ctx.clock.now(), sampling);
    }),
  );
}

async function readReport(ctx: Context, sampling: Sampling): Promise<StatusReport> {
  const now = ctx.clock.now();
  const db = ctx.db.query;
  const longest = Math.max(...statusPartNames.map(freshMs));
  const samples = await listMinutes(db, { from: now - longest, to: now });
  const queue = await getQueueFigures(ctx);
  const { modules, latest } = await getPublicFigures(ctx, modulesListed);
  const incidents = await presentIncidents(db, await listOpenRows(db, incidentLimits.listed), now);
  const told = incidents.filter(({ phase }) => phase !== 'past');
  const checks = configuredParts(sampling).map((part) => ({
    ...{ part, label: statusParts[part].label },
    ...judgePart(part, samples, now),
  }));
  // With nothing to search, a search that was not tried says nothing.
  const judged = checks.filter(({ part }) => part !== 'search' || modules > 0);
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
      oldestWaitSeconds:
        queue.oldestWaitingSince === null ? null : Math.max(0, Math.round((now - queue.oldestWaitingSince) / 1_000)),
    },
    index: { modules, lastIndexedAt: latest[0]?.lastUpdatedAt ?? null, latest },
    incidents: told,
  };
}

function withoutDatabase(now: number, sampling: Sampling): StatusReport {
  const checks = configuredParts(sampling).map((part) => ({
    ...{ part, label: statusParts[part].label, measuredAt: null, tookMs: null },
    state: part === 'database' ? ('down' as const) : ('unknown' as const),
  }));
  return { state: 'down', at: now, measuredAt: null, checks, queue: null, index: null, incidents: [] };
}

/** In the order they are shown. */
export function configuredParts({ probes }: Sampling): StatusPart[] {
  return statusPartNames.filter((name) => probes.some(({ part }) => part === name));
}
