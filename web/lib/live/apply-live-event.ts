import type { QueryClient } from '@tanstack/react-query';
import { type JobRun, jobRunSchema } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { type LiveEvent, type LiveQueryName, liveQueryNames } from '#contract/live.ts';
import { jobsOptions } from '../library-queries.ts';
import { sessionKey } from '../session.ts';
import { teamsOptions } from '../team-queries.ts';

/** Writes what an event of this workspace carries into the cache and marks the rest to be read again, where someone is looking at it. */
export function applyLiveEvent(client: QueryClient, event: LiveEvent, workspace: string): void {
  switch (event.type) {
    case 'changed':
      if (event.query === 'jobRuns' && writeJob(client, event.row, workspace)) return;
      readAgain(client, event.query);
      return;
    case 'refresh':
      for (const name of liveQueryNames) readAgain(client, name);
      return;
    case 'ended':
      void client.invalidateQueries({ queryKey: sessionKey });
      // It may be the team that one does not belong to any more.
      void client.invalidateQueries({ queryKey: teamsOptions.queryKey });
      return;
  }
}

/** A search costs credits: it is only marked as outdated, and made again when someone asks. */
function readAgain(client: QueryClient, name: LiveQueryName): void {
  void client.invalidateQueries({ queryKey: [name], refetchType: name === 'search' ? 'none' : 'active' });
}

/** Puts a run in its place; runs stay newest first. */
export function withJob(jobs: JobRun[], job: JobRun): JobRun[] {
  if (jobs.some(({ id }) => id === job.id)) return jobs.map((known) => (known.id === job.id ? job : known));
  return [job, ...jobs]
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(0, limits.jobRunsListed + limits.jobRunsCurrentMax);
}

/** False when the list must be read again. */
function writeJob(client: QueryClient, row: unknown, workspace: string): boolean {
  const job = jobRunSchema.safeParse(row);
  if (!job.success) return false;
  const known = client.setQueryData(jobsOptions(workspace).queryKey, (jobs) => jobs && withJob(jobs, job.data));
  // A list asked for before the end would otherwise put the running state back.
  return known !== undefined && job.data.endTime === null;
}
