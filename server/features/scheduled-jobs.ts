import type { Context } from '#server/context.ts';

/** Work that a process does without being asked, over and over. */
export interface ScheduledJob {
  name: string;
  /** In processes that carry out index runs, or in those that serve requests. */
  where: 'worker' | 'server';
  everyMs: number;
  /** Runs at full multiples of `everyMs` by the clock. */
  isAligned?: boolean;
  /** It deletes files, so it does not run while another database may use the same file store. */
  deletesFiles?: boolean;
  /** Subscribes to the events that call for a run before its time. */
  wakeOn?(wake: () => void): void;
  /** `signal` is aborted when the process stops: the run ends early and is taken up again next time. */
  run(ctx: Context, signal: AbortSignal): Promise<unknown>;
  /** Writes down what was gathered since the last run; called when the process stops. */
  flush?(ctx: Context): Promise<unknown>;
}

export interface RunningJobs {
  /** Ends what is in progress and waits for it; then flushes. Calling it again only flushes again. */
  stop(): Promise<void>;
}

/**
 * Runs each job now, then `everyMs` after it has ended and whenever it is woken, until stopped; each one run at a time. A run
 * that fails is logged.
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
