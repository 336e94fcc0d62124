import { ChevronRight, RotateCcw, Search } from 'lucide-react';
import { useId, useState } from 'react';
import { Link } from 'react-router';
import type { JobRun } from '#contract/library.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Notice } from '../../ui/notice.tsx';
import { formatBytes, formatCount, formatRate, formatSeconds } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { CoverageBar } from './coverage-bar.tsx';
import { JobProgress } from './job-progress.tsx';
import { isRunning, jobBadge, outcomeWords } from './job-state.ts';
import { LeftOut } from './left-out.tsx';
import { PrivateMark } from './source-name.tsx';
import { searchPath } from './source-path.ts';

interface JobRowProps {
  job: JobRun;
  /** Someone has watched it: what to do with the outcome is offered. */
  isFollowed: boolean;
  /** Readers of a team only watch. */
  mayCancel: boolean;
  mayRepeat: boolean;
  isCancelling: boolean;
  onCancel: () => void;
  onRepeat: () => void;
}

export function JobRow({ job, isFollowed, mayCancel, mayRepeat, isCancelling, onCancel, onRepeat }: JobRowProps) {
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
              {job.visibility === 'private' && <PrivateMark />}
            </span>
            {!running && (
              <span className="tabular mt-0.5 block text-faint text-sm">{outcomeWords(job).join(' · ')}</span>
            )}
          </span>
        </button>
        {running ? (
          mayCancel && (
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
            {job.status === 'COMPLETE' && isFollowed && (
              <Link to={searchPath(job.moduleId)} className={buttonClasses('plain', 'sm')}>
                <Search aria-hidden className="size-3.5" />
                Search it
              </Link>
            )}
            {job.status === 'FAILED' && mayRepeat && !job.isModuleRemoved && (
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
      {running && (
        <div className="px-3 pb-3.5 pl-9 sm:pr-4 sm:pl-10">
          <JobProgress job={job} />
        </div>
      )}
      {hasFailed && job.error !== null && !isExpanded && (
        <p className="-mt-1 px-3 pb-3 pl-9 text-danger text-sm sm:pl-10">{job.error}</p>
      )}
      <div id={detailsId} hidden={!isExpanded}>
        {isExpanded && <JobDetails job={job} />}
      </div>
    </li>
  );
}

/** The coverage report of a run: every page found is accounted for. */
function JobDetails({ job }: { job: JobRun }) {
  return (
    <div className="flex flex-col gap-5 px-3 pb-4 pl-9 sm:pr-4 sm:pl-10">
      {job.error !== null && (
        <Notice tone={job.isCancelled ? 'info' : 'bad'} title={job.isCancelled ? 'Cancelled' : 'Why it failed'}>
          {job.error}
          {!job.isCancelled && !job.isModuleRemoved && ' The earlier version is still served.'}
        </Notice>
      )}
      <CoverageBar job={job} />
      <dl className="tabular grid grid-cols-2 gap-x-6 gap-y-2.5 text-sm sm:grid-cols-4">
        {factsOf(job).map(([name, value]) => (
          <div key={name} className="min-w-0">
            <dt className="text-faint text-xs">{name}</dt>
            <dd className="wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
        <div className="col-span-2 min-w-0 sm:col-span-4">
          <dt className="text-faint text-xs">Source</dt>
          <dd className="wrap-anywhere text-ink">{job.url}</dd>
        </div>
      </dl>
      <LeftOut job={job} />
    </div>
  );
}

function factsOf(job: JobRun): [string, string][] {
  const facts: [string, string][] = [
    ['Passages', formatCount(job.snippets)],
    ['Content', formatBytes(job.contentBytes)],
  ];
  if (job.startTime !== null && job.endTime !== null) {
    const rate = job.pagesPerSecond > 0 ? ` at ${formatRate(job.pagesPerSecond)} pages/s` : '';
    facts.push(['Duration', `${formatSeconds((job.endTime - job.startTime) / 1_000)}${rate}`]);
  }
  facts.push(['Run', job.id.slice(0, 8)]);
  return facts;
}
