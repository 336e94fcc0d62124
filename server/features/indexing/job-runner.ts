import type { Context } from '#server/context.ts';
import { takeIndexJob } from './job-lease.ts';
import { findCrawlToHold, type JobRow } from './job-store.ts';
import type { RunDependencies } from './run-dependencies.ts';
import { runIndexJob } from './run-index-job.ts';

/** Waiting runs are announced; looking for them by itself only finds those of processes that died. */
const pollMs = 5_000;
/** A runner silent for this long is considered dead. */
const turnMsMax = 2 * 60_000;
/** How long a crawl goes on while others wait who have no run here: a slow site, or a delay it asks for, can take it days. */
export const crawlTurnMs = 5 * 60_000;

export interface JobRunner {
  /** Looks for work now: a run was queued. */
  wake(): void;
  /** Whether it has looked for work lately. */
  isAlive(): boolean;
  /** Asks the runs in progress to stop and waits until they have let go; they are taken up again at the next start. */
  stop(): Promise<void>;
}

/** Runs queued index jobs, at most `atOnce` at a time, until stopped. */
export function startJobRunner(
  ctx: Context,
  deps: RunDependencies,
  options: { owner: string; atOnce: number },
): JobRunner {
  const stopping = new AbortController();
  const running = new Map<string, { done: Promise<void>; since: number; hold: AbortController }>();
  let wakeUp = () => {};
  let taken = 0;
  let turnedAt = ctx.clock.elapsed();

  const start = (row: JobRow) => {
    const jobCtx: Context = { ...ctx, requestId: row.id, log: ctx.log.child({ jobId: row.id }) };
    const hold = new AbortController();
    const done = runIndexJob(jobCtx, row, deps, AbortSignal.any([stopping.signal, hold.signal]))
      .catch((error: unknown) => jobCtx.log.error({ err: error }, 'a run could not be ended'))
      .finally(() => {
        running.delete(row.id);
        wakeUp();
      });
    running.set(row.id, { done, since: ctx.clock.elapsed(), hold });
  };

  /** Has a crawl that has had its turn wait again, where others wait. */
  const makeRoom = async () => {
    if (running.size < options.atOnce) return;
    const hadTurn = [...running].filter(([, { since }]) => ctx.clock.elapsed() - since >= crawlTurnMs);
    const ids = hadTurn.map(([id]) => id);
    const held = await findCrawlToHold(ctx.db.query, ctx.clock.now(), { ids, running: [...running.keys()] });
    if (held !== undefined) running.get(held.id)?.hold.abort();
  };

  const takeAll = async () => {
    while (running.size < options.atOnce && !stopping.signal.aborted) {
      taken += 1;
      // A name of its own for each: a run that outlives its lease here must not pass for the one that takes it up.
      const row = await takeIndexJob(ctx, `${options.owner}:${taken}`, [...running.keys()]);
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
        .then(makeRoom)
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
