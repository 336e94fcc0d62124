import { useInfiniteQuery } from '@tanstack/react-query';
import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { JobRun } from '#contract/library.ts';
import { skipReasonText } from '#contract/skip-reasons.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { useEntryState } from '../../ui/use-entry-state.ts';
import { jobLogOptions } from './queries.ts';

/** Pages that a run left out, by reason; each reason expands to its addresses. */
export function LeftOut({ job }: { job: JobRun }) {
  return (
    <>
      <Reasons job={job} />
      {job.retryAt !== null && (
        <p className="text-soft text-sm">
          {job.status === 'COMPLETE' ? 'Failed pages are retried' : 'The run resumes'} automatically{' '}
          <RelativeTime at={job.retryAt} />.
        </p>
      )}
    </>
  );
}

function Reasons({ job }: { job: JobRun }) {
  if (job.skipReasons.length === 0) return null;
  return (
    <div>
      <h3 className="mb-1.5 font-medium text-ink text-sm">Left out, and why</h3>
      <ul className="flex flex-col divide-y divide-line rounded-md border border-line bg-surface">
        {job.skipReasons.map((reason) => (
          <Reason key={reason.reason} jobId={job.id} {...reason} />
        ))}
      </ul>
    </div>
  );
}

function Reason({ jobId, reason, count, examples }: { jobId: string } & JobRun['skipReasons'][number]) {
  const [isOpen, setIsOpen] = useEntryState(`${jobId} ${reason}`, false);
  const id = useId();
  return (
    <li className="text-sm">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full items-center gap-2 rounded-sm px-3 py-2 text-left hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={classNames('size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <span className="wrap-anywhere flex-1 text-soft">{skipReasonText(reason)}</span>
        <span className="tabular text-ink">{formatCount(count)}</span>
      </button>
      {isOpen && (
        <div id={id} className="px-3 pb-3 pl-8.5">
          <Addresses jobId={jobId} reason={reason} count={count} examples={examples} />
        </div>
      )}
    </li>
  );
}

function Addresses({ jobId, reason, count, examples }: { jobId: string } & JobRun['skipReasons'][number]) {
  const log = useInfiniteQuery(jobLogOptions(useWorkspaceId(), jobId, reason));
  if (log.isError) {
    return (
      <div role="alert" className="flex flex-wrap items-center gap-3 text-soft">
        <span key={log.errorUpdatedAt}>Couldn't load the log. {sentenceForPeople(log.error)}</span>
        <Button size="sm" isBusy={log.isFetching} onClick={() => void log.refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (log.data === undefined) {
    return (
      <Loading label="Loading the log…" className="flex flex-col gap-2 py-1">
        {examples.map((example) => (
          <Skeleton key={example} className="h-3.5 w-4/5" />
        ))}
      </Loading>
    );
  }
  const entries = log.data.pages.flatMap((page) => page.entries.map(({ address }) => address));
  // Runs from before logs were stored have only examples.
  const shown = entries.length === 0 ? examples : entries;
  const missing = count - (log.data.pages[0]?.total ?? 0);
  return (
    <>
      <ul className="flex flex-col gap-0.5">
        {shown.map((address) => (
          <li key={address} className="wrap-anywhere font-mono text-faint text-xs">
            {address}
          </li>
        ))}
      </ul>
      {log.hasNextPage ? (
        <Button
          look="quiet"
          size="sm"
          className="mt-1.5 -ml-2.5"
          isBusy={log.isFetchingNextPage}
          onClick={() => void log.fetchNextPage()}
        >
          Show more
        </Button>
      ) : (
        missing > 0 && (
          <p className="mt-1.5 text-faint text-xs">
            {entries.length === 0 ? 'Only examples were kept.' : `Not kept: ${formatCount(missing)} more.`}
          </p>
        )
      )}
    </>
  );
}
