import { ChevronRight, RotateCcw } from 'lucide-react';
import { useId, useState } from 'react';
import type { JobRun } from '#contract/library.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCount, formatRate, formatSeconds } from '../../ui/quantities.ts';
import { RelativeTime, useNow } from '../../ui/relative-time.tsx';
import { JobDetails } from './job-details.tsx';
import { isRunning, jobBadge, outcomeWords, pagesDone } from './job-state.ts';

interface JobRowProps {
  job: JobRun;
  /** Readers of a team only watch. */
  mayWrite: boolean;
  isCancelling: boolean;
  onCancel: () => void;
  onRepeat: () => void;
}

export function JobRow({ job, mayWrite, isCancelling, onCancel, onRepeat }: JobRowProps) {
  const [isExpanded, setIsExpanded] = useState(false);
  const detailsId = useId();
  const badge = jobBadge(job);
  const running = isRunning(job);
  const hasFailed = job.status === 'FAILED' && !job.isCancelled;
  return (
    <li className="border-line border-b last:border-b-0">
      <div className="flex items-start gap-2 px-3 py-3 sm:px-4">
        <button
          type="button"
          aria-expanded={isExpanded}
          aria-controls={detailsId}
          onClick={() => setIsExpanded(!isExpanded)}
          className="-m-1 flex min-w-0 flex-1 items-start gap-2.5 rounded-sm p-1 text-left"
        >
          <ChevronRight
            aria-hidden
            className={classNames('mt-1 size-3.5 shrink-0 text-faint transition-transform', isExpanded && 'rotate-90')}
          />
          <span className="min-w-0 flex-1">
            <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
              <span className="wrap-anywhere font-medium text-ink">{job.displayName}</span>
              <Badge tone={badge.tone}>{badge.label}</Badge>
              {job.visibility === 'private' && <Badge>Private</Badge>}
            </span>
            {!running && (
              <span className="tabular mt-0.5 block text-faint text-sm">{outcomeWords(job).join(' · ')}</span>
            )}
          </span>
        </button>
        {running ? (
          mayWrite && (
            <Button
              size="sm"
              isBusy={isCancelling || job.isCancelled}
              aria-label={`Cancel ${job.displayName}`}
              onClick={onCancel}
            >
              Cancel
            </Button>
          )
        ) : (
          <span className="flex items-center gap-2">
            {job.status === 'FAILED' && mayWrite && (
              <Button size="sm" aria-label={`Try again: ${job.displayName}`} onClick={onRepeat}>
                <RotateCcw aria-hidden className="size-3.5" />
                Try again
              </Button>
            )}
            <span className="hidden pt-1 text-faint text-sm sm:block">
              <RelativeTime at={job.endTime ?? job.createdAt} />
            </span>
          </span>
        )}
      </div>
      {running && <JobProgress job={job} />}
      {hasFailed && job.error !== null && !isExpanded && (
        <p className="wrap-anywhere -mt-1 px-3 pb-3 pl-9 text-danger text-sm sm:pl-10">{job.error}</p>
      )}
      <div id={detailsId} hidden={!isExpanded}>
        {isExpanded && <JobDetails job={job} />}
      </div>
    </li>
  );
}

function JobProgress({ job }: { job: JobRun }) {
  const done = pagesDone(job);
  const now = useNow(1_000);
  const elapsed = job.startTime === null ? null : (now - job.startTime) / 1_000;
  const isIndexing = job.status === 'INDEXING';
  const words = isIndexing
    ? `Building the index of ${countOf(job.snippets, 'snippet')}`
    : job.found === 0
      ? 'Looking for pages'
      : `${formatCount(done)} of ${countOf(job.found, 'page')}`;
  return (
    <div className="px-3 pb-3.5 pl-9 sm:pr-4 sm:pl-10">
      <Progress
        label={`Progress of ${job.displayName}`}
        value={job.found === 0 || isIndexing || job.status === 'QUEUED' ? null : done}
        max={job.found}
        valueText={words}
        tone={job.isCancelled || job.status === 'QUEUED' ? 'quiet' : 'busy'}
      />
      <div className="tabular mt-2 flex flex-wrap justify-between gap-x-4 text-faint text-sm">
        <span>
          <span className="text-soft">{job.status === 'QUEUED' ? 'Waiting for its turn' : words}</span>
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
