import type { Context } from '#server/context.ts';
import type { RunDependencies } from './collect.ts';
import { takeIndexJob } from './job-lease.ts';
import { isReading, type JobRow } from './job-store.ts';
import { findNextJob } from './next-job-store.ts';
import { goesOn, runIndexJob } from './run-index-job.ts';

/** Queued runs are announced; polling only finds those whose process died. */
const pollMs = 5_000;
/** A runner silent for this long is considered dead. */
const turnMsMax = 2 * 60_000;
/** A run that after this time has read less than a page per second waits for its site and holds up no other tenants. */
export const slowRunMs = 30_000;
/**
 * A run that takes this long probably spends most of its time waiting for its site, which may take days; it no longer
 * holds up other tenants.
 */
export const longRunMs = 5 * 60_000;
/** After this long a run yields its slot to a tenant without one, and waits for its next turn. */
export const turnMs = 3 * longRunMs;

export interface JobRunner {
  /** Looks for work now, because a run was queued. */
  wake(): void;
  /** Returns true if the runner looked for work recently. */
  isAlive(): boolean;
  /** Asks the active runs to stop and waits until they have released their leases; they resume at the next start. */
  stop(): Promise<void>;
}

interface RunInProgress {
  row: JobRow;
  done: Promise<void>;
  since: number;
  canGoOn: boolean;
  /** Number of records stored by this attempt: another one would resume after them. */
  kept: number;
  turn: AbortController;
}

/** In the order in which they were leased. */
type RunsInProgress = Map<string, RunInProgress>;

/** Runs queued index jobs, at most `atOnce` at a time, until stopped. */
export function startJobRunner(
  ctx: Context,
  deps: RunDependencies,
  options: { owner: string; atOnce: number },
): JobRunner {
  const stopping = new AbortController();
  const running: RunsInProgress = new Map();
  let wakeUp = () => {};
  let taken = 0;
  let turnedAt = ctx.clock.elapsed();

  const start = (row: JobRow) => {
    const jobCtx: Context = { ...ctx, requestId: row.id, log: ctx.log.child({ jobId: row.id }) };
    const turn = new AbortController();
    const run = { row, since: ctx.clock.elapsed(), canGoOn: goesOn(row.kind), kept: 0, turn };
    const onKept = () => void (run.kept += 1);
    const signal = AbortSignal.any([stopping.signal, turn.signal]);
    const done = runIndexJob(jobCtx, row, { ...deps, onKept }, signal)
      .catch((error: unknown) => jobCtx.log.error({ err: error }, 'a run could not be ended'))
      .finally(() => {
        running.delete(row.id);
        wakeUp();
      });
    running.set(row.id, Object.assign(run, { done }));
  };

  const places = () => placesOf(ctx, [...running.values()], options.atOnce);

  const takeAll = async () => {
    while (running.size < places() && !stopping.signal.aborted) {
      taken += 1;
      const isExtra = running.size >= options.atOnce;
      // A unique owner per run: a run that outlives its lease must not be mistaken for its successor in this process.
      const row = await takeIndexJob(ctx, `${options.owner}:${taken}`, [...running.keys()], isExtra);
      if (row === undefined) return;
      start(row);
    }
  };

  const loop = async () => {
    while (!stopping.signal.aborted) {
      turnedAt = ctx.clock.elapsed();
      const woken = new AbortController();
      wakeUp = () => woken.abort();
      const signal = AbortSignal.any([stopping.signal, woken.signal]);
      const wake = ctx.clock.sleep(pollMs, signal).catch(() => undefined);
      await takeAll()
        .then(() => (running.size < places() ? undefined : endTurn(ctx, running, options.atOnce)))
        .catch((error: unknown) => ctx.log.error({ err: error }, 'waiting runs could not be read'));
      await wake;
    }
  };
  const looping = loop();

  return {
    wake: () => wakeUp(),
    isAlive: () => !stopping.signal.aborted && ctx.clock.elapsed() - turnedAt < turnMsMax,
    async stop() {
      stopping.abort();
      await looping;
      await Promise.all([...running.values()].map(({ done }) => done));
    },
  };
}

/**
 * Returns the number of slots: slow and long runs, and a workspace's or user's second run, free theirs for tenants
 * without a run, at most doubling the slots of a process.
 */
function placesOf(ctx: Context, runs: RunInProgress[], atOnce: number): number {
  const isSecond = ({ row }: RunInProgress, at: number) =>
    runs
      .slice(0, at)
      .some((other) => other.row.workspace === row.workspace || other.row.startedByUserId === row.startedByUserId);
  const waits = ({ since, kept }: RunInProgress) => {
    const ms = ctx.clock.elapsed() - since;
    return ms >= longRunMs || (ms >= slowRunMs && kept * 1_000 < ms);
  };
  const freed = runs.filter((run, at) => waits(run) || isSecond(run, at)).length;
  return atOnce + Math.min(freed, atOnce);
}

/**
 * Makes a long run yield to a tenant without one, one at a time, so that slow sites do not occupy all slots for days.
 * Runs that are reading page lists or building are exempt: they would have to repeat that step and might never finish
 * it.
 */
async function endTurn(ctx: Context, running: RunsInProgress, atOnce: number): Promise<void> {
  const runs = [...running.values()];
  const isLong = ({ since }: RunInProgress) => ctx.clock.elapsed() - since >= turnMs;
  const long = runs.filter((run) => run.canGoOn && run.kept > 0 && isLong(run));
  if (runs.some(({ turn }) => turn.signal.aborted)) return;
  const reading = await Promise.all(long.map(({ row }) => isReading(ctx.db.query, row.id)));
  const longest = long.find((_, at) => reading[at]);
  if (longest === undefined) return;
  const others = runs.filter((run) => run !== longest);
  // Without this run there are fewer slots; stop unless that leaves one free.
  if (others.length >= placesOf(ctx, others, atOnce)) return;
  const except = [...running.keys()];
  const waiting = await findNextJob(ctx.db.query, ctx.clock.now(), { except, isExtra: true });
  if (waiting !== undefined) longest.turn.abort();
}
