import type { Context } from '#server/context.ts';
import { createAnswerCache } from '#server/features/status/answer-cache.ts';
import type { StatusDependencies } from '#server/features/status/dependencies.ts';
import { createLatencyCounts } from '#server/features/status/latency-counts.ts';
import type { Probe, Sampling } from '#server/features/status/measure-status.ts';
import { databaseProbe } from '#server/features/status/probes.ts';
import type { Database } from '#server/platform/db/database.ts';
import { createSettableClock, type SettableClock } from '#test/services/settable-clock.ts';
import { silentLog } from './log.ts';

/** Returns a visitor's context with a clock that stands still. */
export function visitorOf(db: Database, clock = createSettableClock()): Context & { clock: SettableClock } {
  return { actor: { kind: 'anonymous' }, workspace: null, db, clock, log: silentLog, requestId: 'r' };
}

/** Returns a process's sampling; essential parts are healthy by default. */
export function samplingOf(ctx: Context, process: string, probes: Probe[] = []): Sampling {
  const well = (part: 'search' | 'files' | 'jobs'): Probe => ({ part, run: async () => 'good' });
  const usual = [databaseProbe(), well('search'), well('files'), well('jobs')];
  const told = new Set(probes.map(({ part }) => part));
  return {
    process,
    probes: [...usual.filter(({ part }) => !told.has(part)), ...probes],
    latency: createLatencyCounts(() => ctx.clock.now()),
    pending: [],
    last: new Map(),
    recent: new Map(),
    elsewhere: [],
  };
}

/** Returns the status functions, without cached results. */
export function statusOf(sampling: Sampling): StatusDependencies {
  return { sampling, cache: createAnswerCache(0) };
}
