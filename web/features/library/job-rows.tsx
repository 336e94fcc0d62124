import { ChevronRight, RotateCcw, Search } from 'lucide-react';
import { lazy, Suspense, useId } from 'react';
import { Link } from 'react-router';
import type { JobRun } from '#contract/library.ts';
import { useFaultToast } from '../../kit/use-fault-toast.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { useEntryState } from '../../ui/use-entry-state.ts';
import { JobProgress } from './job-progress.tsx';
import { isRunning, jobBadge, outcomeWords } from './job-state.ts';
import { useCancelJob, useRetryJob } from './queries.ts';
import { PrivateMark } from './source-name.tsx';
import { searchPath } from './source-path.ts';
import { useSourceRights } from './source-rights.ts';

/** Runs with their actions. */
export function JobRows({ jobs, isFollowed = false }: { jobs: JobRun[]; isFollowed?: boolean }) {
  const { mayChange, mayRefresh } = useSourceRights();
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const tellFault = useFaultToast();
  return (
    <ul className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      {jobs.map((job) => (
        <JobRow
          key={job.id}
          job={job}
          isFollowed={isFollowed}
          mayCancel={mayChange(job)}
          mayRepeat={mayRefresh(job)}
          isCancelling={cancel.isPending && cancel.variables === job.id}
          onCancel={() => cancel.mutate(job.id, { onError: tellFault })}
          onRepeat={() => retry.mutate(job.id, { onError: tellFault })}
        />
      ))}
    </ul>
  );
}

const JobDetails = lazy(() => import('./job-details.tsx').then((part) => ({ default: part.JobDetails })));

interface JobRowProps {
  job: JobRun;
  /** True if the user has watched the run: follow-up actions are offered. */
  isFollowed: boolean;
  /** False for a team's readers, who can only watch. */
  mayCancel: boolean;
  mayRepeat: boolean;
  isCancelling: boolean;
  onCancel: () => void;
  onRepeat: () => void;
}

function JobRow({ job, isFollowed, mayCancel, mayRepeat, isCancelling, onCancel, onRepeat }: JobRowProps) {
  const [isExpanded, setIsExpanded] = useEntryState(`Run ${job.id}`, false);
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
        {isExpanded && (
          <Suspense fallback={<Skeleton className="mx-9 mb-4 h-48" />}>
            <JobDetails job={job} />
          </Suspense>
        )}
      </div>
    </li>
  );
}
