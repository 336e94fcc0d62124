import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useToast } from '../../ui/toast.tsx';
import { JobRow } from './job-row.tsx';
import { again, isRunning } from './job-state.ts';
import { useCancelJob, useStartIndexJob } from './queries.ts';
import { useMayWrite } from './use-may-write.ts';

const endedShown = 4;

/** Job runs, newest first: those under way, the latest that ended, and the rest on request. */
export function JobList({ isWhole: isWholeAtFirst = false }: { isWhole?: boolean }) {
  const jobs = useQuery(jobsOptions(useWorkspaceId()));
  const [isWhole, setIsWhole] = useState(isWholeAtFirst);
  const mayWrite = useMayWrite();
  const cancel = useCancelJob();
  const start = useStartIndexJob();
  const toast = useToast();
  const tellFault = (error: unknown) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 });

  if (jobs.isError && !jobs.data) {
    return (
      <Notice
        tone="bad"
        title="Job runs could not be loaded"
        action={
          <Button isBusy={jobs.isFetching} onClick={() => void jobs.refetch()}>
            Try again
          </Button>
        }
      >
        {sentenceForPeople(jobs.error)}
      </Notice>
    );
  }
  if (!jobs.data || jobs.data.length === 0) return null;

  const running = jobs.data.filter(isRunning);
  const shown = isWhole
    ? jobs.data
    : jobs.data.filter((job, place) => isRunning(job) || place < running.length + endedShown);
  const hidden = jobs.data.length - shown.length;
  return (
    <section aria-labelledby="job-runs">
      <h2 id="job-runs" className="heading-part mb-2.5 flex items-baseline gap-2">
        Job runs
        {running.length > 0 && <span className="tabular font-normal text-faint text-sm">{running.length} running</span>}
      </h2>
      <ul className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
        {shown.map((job) => (
          <JobRow
            mayWrite={mayWrite}
            key={job.id}
            job={job}
            isCancelling={cancel.isPending && cancel.variables === job.id}
            onCancel={() => cancel.mutate(job.id, { onError: tellFault })}
            onRepeat={() => start.mutate(again(job), { onError: tellFault })}
          />
        ))}
      </ul>
      {(hidden > 0 || isWhole) && (
        <Button look="quiet" size="sm" className="mt-2" onClick={() => setIsWhole(!isWhole)}>
          {isWhole ? 'Show fewer' : `Show ${hidden} more`}
        </Button>
      )}
    </section>
  );
}
