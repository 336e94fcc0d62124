import type { JobRun } from '#contract/library.ts';
import type { Tone } from '../../ui/badge.tsx';
import { countOf, formatCount } from '../../ui/quantities.ts';

/** Complete and failed are final; all other states may change. */
export function isRunning({ status }: JobRun): boolean {
  return status !== 'COMPLETE' && status !== 'FAILED';
}

const wantedOrder: Record<string, number> = { CRAWLING: 0, INDEXING: 0, FAILED: 1, QUEUED: 2, COMPLETE: 3 };

/** Orders runs: in progress, failed, queued (next one first), complete. */
export function mostWantedFirst(jobs: JobRun[]): JobRun[] {
  const placeOf = ({ status, isCancelled }: JobRun) => (isCancelled ? 3 : (wantedOrder[status] ?? 0));
  return jobs.toSorted((a, b) => {
    const isBothWaiting = a.status === 'QUEUED' && b.status === 'QUEUED';
    return placeOf(a) - placeOf(b) || (isBothWaiting ? a.createdAt - b.createdAt : b.createdAt - a.createdAt);
  });
}

/** Returns the label and colour of a run's state. */
export function jobBadge({ status, isCancelled }: JobRun): { label: string; tone: Tone } {
  switch (status) {
    case 'COMPLETE':
      return { label: 'Complete', tone: 'good' };
    case 'FAILED':
      return isCancelled ? { label: 'Cancelled', tone: 'quiet' } : { label: 'Failed', tone: 'bad' };
    case 'QUEUED':
      return isCancelled ? { label: 'Cancelling…', tone: 'quiet' } : { label: 'Queued', tone: 'quiet' };
    case 'CRAWLING':
      return isCancelled ? { label: 'Cancelling…', tone: 'quiet' } : { label: 'Crawling', tone: 'busy' };
    case 'INDEXING':
      return isCancelled ? { label: 'Cancelling…', tone: 'quiet' } : { label: 'Indexing', tone: 'busy' };
    default:
      return { label: 'Unknown', tone: 'warn' };
  }
}

/** Returns the counts as words in a fixed order, without zeros. */
export function outcomeWords(job: JobRun): string[] {
  const isAllKept = job.fetched === 0 && job.unchanged > 0;
  const words = [isAllKept ? `${countOf(job.unchanged, 'page')} unchanged` : countOf(job.fetched, 'page')];
  if (job.unchanged > 0 && !isAllKept) words.push(`${formatCount(job.unchanged)} unchanged`);
  if (job.skipped > 0) words.push(`${formatCount(job.skipped)} skipped`);
  if (job.failed > 0) words.push(`${formatCount(job.failed)} failed`);
  if (job.isRetry) words.push('failed pages only');
  return words;
}
