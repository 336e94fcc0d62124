import type { JobRun } from '#contract/library.ts';
import { sentenceForPeople } from '../../lib/api-error.ts';
import { useToast } from '../../ui/toast.tsx';
import { JobRow } from './job-row.tsx';
import { useCancelJob, useRetryJob } from './queries.ts';
import { useSourceRights } from './source-rights.ts';

/** Runs with what you can do about them. */
export function JobRows({ jobs, isFollowed = false }: { jobs: JobRun[]; isFollowed?: boolean }) {
  const { mayChange, mayRefresh } = useSourceRights();
  const cancel = useCancelJob();
  const retry = useRetryJob();
  const toast = useToast();
  const tellFault = (error: unknown) => toast({ message: sentenceForPeople(error), tone: 'bad', durationMs: 5_000 });
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
