import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { type JobRun, type LiveEvent, liveEventSchema } from '#contract/library.ts';
import { limits } from '#contract/limits.ts';
import { jobsOptions, modulesOptions } from './library-queries.ts';

/** Keeps job runs and modules current while the page is open. Nothing is lost by a break: a new stream begins with `refresh`. */
export function useLiveUpdates(isSignedIn: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isSignedIn) return;
    const stream = new EventSource('/api/live');
    stream.onmessage = ({ data }: MessageEvent<string>) => {
      const event = liveEventSchema.safeParse(parseJson(data));
      if (event.success) applyLiveEvent(client, event.data);
    };
    return () => stream.close();
  }, [client, isSignedIn]);
}

/** Writes what an event carries into the cache and marks the rest to be read again. */
export function applyLiveEvent(client: QueryClient, event: LiveEvent): void {
  switch (event.type) {
    case 'job':
      client.setQueryData(jobsOptions.queryKey, (jobs) => jobs && withJob(jobs, event.job));
      // A list asked for before the end would otherwise put the running state back.
      if (event.job.endTime !== null) void client.invalidateQueries({ queryKey: jobsOptions.queryKey });
      return;
    case 'modules':
      void client.invalidateQueries({ queryKey: modulesOptions.queryKey });
      void client.invalidateQueries({ queryKey: ['search'] });
      return;
    case 'refresh':
      void client.invalidateQueries({ queryKey: jobsOptions.queryKey });
      void client.invalidateQueries({ queryKey: modulesOptions.queryKey });
      return;
  }
}

/** Puts a run in its place; runs stay newest first. */
export function withJob(jobs: JobRun[], job: JobRun): JobRun[] {
  if (jobs.some(({ id }) => id === job.id)) return jobs.map((known) => (known.id === job.id ? job : known));
  return [job, ...jobs].sort((a, b) => b.createdAt - a.createdAt).slice(0, limits.jobRunsListed);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // A line that is no JSON is no event of ours; the schema refuses undefined.
    return undefined;
  }
}
