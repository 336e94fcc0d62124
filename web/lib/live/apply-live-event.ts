import type { QueryClient } from '@tanstack/react-query';
import { type JobRun, jobRunSchema } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { type LiveEvent, type LiveQueryName, liveQueryNames } from '#contract/live.ts';
import { jobsOptions } from '../library-queries.ts';
import { sessionKey } from '../session.ts';
import { teamsOptions } from '../team-queries.ts';

/**
 * Writes the data of a live event of this workspace to the cache and invalidates the rest; queries on the screen are
 * reloaded.
 */
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
      // The user may no longer belong to this team.
      void client.invalidateQueries({ queryKey: teamsOptions.queryKey });
      return;
  }
}

/** Reloads a query. A search costs credits: it is only marked as outdated and repeated on request. */
function readAgain(client: QueryClient, name: LiveQueryName): void {
  void client.invalidateQueries({ queryKey: [name], refetchType: name === 'search' ? 'none' : 'active' });
}

/** Inserts or replaces a run; runs stay ordered newest first. */
export function withJob(jobs: JobRun[], job: JobRun): JobRun[] {
  if (jobs.some(({ id }) => id === job.id)) return jobs.map((known) => (known.id === job.id ? job : known));
  return [job, ...jobs]
    .sort((a, b) => b.createdAt - a.createdAt)
    .slice(0, limits.jobRunsListed + limits.jobRunsCurrentMax);
}

/** Returns false if the list must be reloaded. */
function writeJob(client: QueryClient, row: unknown, workspace: string): boolean {
  const job = jobRunSchema.safeParse(row);
  if (!job.success) return false;
  const known = client.setQueryData(jobsOptions(workspace).queryKey, (jobs) => jobs && withJob(jobs, job.data));
  // A list requested before the run ended would otherwise restore the running state.
  return known !== undefined && job.data.endTime === null;
}
