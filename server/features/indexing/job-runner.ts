import type { Context } from '#server/context.ts';
import type { RunDependencies } from './collect.ts';
import { takeIndexJob } from './job-lease.ts';
import { isReading, type JobRow } from './job-store.ts';
import { findNextJob } from './next-job-store.ts';
import { goesOn, runIndexJob } from './run-index-job.ts';

/** Waiting runs are announced; looking for them by itself only finds those of processes that died. */
const pollMs = 5_000;
/** A runner silent for this long is considered dead. */
const turnMsMax = 2 * 60_000;
/** A run that has taken so long is likely to wait for its site most of the time, which may take days, and holds up no other tenant. */
export const longRunMs = 5 * 60_000;
/** After so long a run gives its place to a tenant who has none, and waits for its next turn. */
export const turnMs = 3 * longRunMs;

export interface JobRunner {
  /** Looks for work now: a run was queued. */
  wake(): void;
  /** Whether it has looked for work lately. */
  isAlive(): boolean;
  /** Asks the runs in progress to stop and waits until they have let go; they are taken up again at the next start. */
  stop(): Promise<void>;
}

interface RunInProgress {
  row: JobRow;
  done: Promise<void>;
  since: number;
  canGoOn: boolean;
  /** It has read something here: another attempt would begin further on. */
  hasGotFurther: boolean;
  turn: AbortController;
}

/** In the order in which they were taken. */
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
    const run = { row, since: ctx.clock.elapsed(), canGoOn: goesOn(row.kind), hasGotFurther: false, turn };
    const onKept = () => void (run.hasGotFurther = true);
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
      // A name of its own for each: a run that outlives its lease here must not pass for the one that takes it up.
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

/** Long runs leave their places to tenants who have none; of each process that many more at most. */
function placesOf(ctx: Context, runs: RunInProgress[], atOnce: number): number {
  const long = runs.filter(({ since }) => ctx.clock.elapsed() - since >= longRunMs).length;
  return atOnce + Math.min(long, atOnce);
}

/**
 * Sites that answer slowly must not hold every place for days: their runs give way to tenants who have none, one at a time. One that
 * still reads lists of pages, or builds, would begin with that anew, and might never get further.
 */
async function endTurn(ctx: Context, running: RunsInProgress, atOnce: number): Promise<void> {
  const runs = [...running.values()];
  const isLong = ({ since }: RunInProgress) => ctx.clock.elapsed() - since >= turnMs;
  const long = runs.filter((run) => run.canGoOn && run.hasGotFurther && isLong(run));
  if (runs.some(({ turn }) => turn.signal.aborted)) return;
  const reading = await Promise.all(long.map(({ row }) => isReading(ctx.db.query, row.id)));
  const longest = long.find((_, at) => reading[at]);
  if (longest === undefined) return;
  const others = runs.filter((run) => run !== longest);
  // Without it there are fewer places; what is left of them may be taken.
  if (others.length >= placesOf(ctx, others, atOnce)) return;
  const except = [...running.keys()];
  const waiting = await findNextJob(ctx.db.query, ctx.clock.now(), { except, isExtra: true });
  if (waiting !== undefined) longest.turn.abort();
}
