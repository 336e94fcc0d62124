import type { JobRun } from '#contract/library.ts';

/** Returns the number of pages a run has read and its total. Skipped pages take no time and are not counted. */
export function pagesOfJob(job: Pick<JobRun, 'found' | 'fetched' | 'unchanged' | 'skipped' | 'failed'>): {
  done: number;
  total: number;
} {
  const done = job.fetched + job.unchanged + job.failed;
  return { done, total: Math.max(job.found - job.skipped, done) };
}
