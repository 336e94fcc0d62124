import type { JobRun } from '#contract/library.ts';

/** Pages of a run that are read, and how many there must be read: what is left out takes no time and is no work. */
export function pagesOfJob(job: Pick<JobRun, 'found' | 'fetched' | 'unchanged' | 'skipped' | 'failed'>): {
  done: number;
  total: number;
} {
  const done = job.fetched + job.unchanged + job.failed;
  return { done, total: Math.max(job.found - job.skipped, done) };
}
