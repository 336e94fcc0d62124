import type { JobRun } from '#contract/library.ts';
import { pagesOfJob } from '../../lib/job-pages.ts';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCount, formatRate, formatSeconds } from '../../ui/quantities.ts';
import { useNow } from '../../ui/relative-time.tsx';

/** A run's progress, speed and remaining time. */
export function JobProgress({ job }: { job: JobRun }) {
  const { done, total } = pagesOfJob(job);
  const now = useNow(1_000);
  const elapsed = job.startTime === null ? null : (now - job.startTime) / 1_000;
  const isIndexing = job.status === 'INDEXING';
  const words = isIndexing
    ? `Indexing ${countOf(job.snippets, 'passage')}`
    : job.found === 0
      ? 'Looking for pages'
      : `${formatCount(done)} of ${countOf(total, 'page')}`;
  return (
    <div>
      <Progress
        label={`Progress of ${job.displayName}`}
        value={job.found === 0 || isIndexing || job.status === 'QUEUED' ? null : done}
        max={total}
        valueText={words}
        tone={job.isCancelled || job.status === 'QUEUED' ? 'quiet' : 'busy'}
      />
      <div className="tabular mt-2 flex flex-wrap justify-between gap-x-4 text-faint text-sm">
        <span>
          <span className="text-soft">{job.status === 'QUEUED' ? 'Queued' : words}</span>
          {job.skipped > 0 && ` · ${formatCount(job.skipped)} skipped`}
          {job.failed > 0 && ` · ${formatCount(job.failed)} failed`}
        </span>
        <span>
          {!isIndexing && job.pagesPerSecond > 0 && `${formatRate(job.pagesPerSecond)} pages/s`}
          {!isIndexing && job.secondsLeft !== null && ` · ${formatSeconds(job.secondsLeft)} left`}
          {(isIndexing || job.pagesPerSecond === 0) && elapsed !== null && formatSeconds(elapsed)}
        </span>
      </div>
    </div>
  );
}
