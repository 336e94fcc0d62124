import type { Context } from '#server/context.ts';

/** Work that a process repeats without a request. */
export interface ScheduledJob {
  name: string;
  /** In processes that carry out index runs, or in those that serve requests. */
  where: 'worker' | 'server';
  everyMs: number;
  /** Runs at multiples of `everyMs` on the clock. */
  isAligned?: boolean;
  /** True if it deletes files, so that it must not run while another database may use the same file store. */
  deletesFiles?: boolean;
  /** Subscribes to the events that trigger an early run. */
  wakeOn?(wake: () => void): void;
  /** Runs the job; `signal` is aborted when the process stops: the run ends early and continues next time. */
  run(ctx: Context, signal: AbortSignal): Promise<unknown>;
  /** Writes the data gathered since the last run; called when the process stops. */
  flush?(ctx: Context): Promise<unknown>;
}

export interface RunningJobs {
  /** Stops runs in progress and waits for them; then flushes. Further calls only flush again. */
  stop(): Promise<void>;
}

/**
 * Runs each job now, then `everyMs` after it has ended and whenever it is woken, until stopped; never concurrently with
 * itself. Failed runs are logged.
 */
export function startScheduledJobs(
  ctx: Context,
  jobs: readonly ScheduledJob[],
  mayDelete: () => Promise<boolean> = async () => true,
): RunningJobs {
  const stopping = new AbortController();
  const loops = jobs.map((job) => runUntilStopped(ctx, job, { signal: stopping.signal, mayDelete }));
  return {
    async stop() {
      stopping.abort();
      await Promise.all(loops);
      for (const job of jobs) await job.flush?.(ctx);
    },
  };
}

async function runUntilStopped(
  ctx: Context,
  job: ScheduledJob,
  { signal, mayDelete }: { signal: AbortSignal; mayDelete: () => Promise<boolean> },
): Promise<void> {
  let woken = new AbortController();
  job.wakeOn?.(() => woken.abort());
  while (!signal.aborted) {
    woken = new AbortController();
    const sleeping = AbortSignal.any([signal, woken.signal]);
    try {
      if (job.deletesFiles !== true || (await mayDelete())) await job.run(ctx, signal);
    } catch (error) {
      if (!signal.aborted) ctx.log.error({ err: error, job: job.name }, `the scheduled job "${job.name}" failed`);
    }
    const sinceFull = job.isAligned === true ? ctx.clock.now() % job.everyMs : 0;
    await ctx.clock.sleep(job.everyMs - sinceFull, sleeping).catch(() => undefined);
  }
}
