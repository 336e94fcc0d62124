import { useQuery } from '@tanstack/react-query';
import type { PdfSet } from '#contract/pdf-sets.ts';
import { pagesOfJob } from '../../lib/job-pages.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCount, formatSeconds } from '../../ui/quantities.ts';

/** How far the run of a set has come; nothing when there is none. */
export function RunOfSet({ set }: { set: PdfSet }) {
  const jobs = useQuery(jobsOptions(useWorkspaceId())).data;
  const job = set.jobId === null ? undefined : jobs?.find(({ id }) => id === set.jobId);
  if (job === undefined || job.endTime !== null) return null;
  const { done, total } = pagesOfJob(job);
  const isCounting = job.status === 'CRAWLING' && job.found > 0;
  const words =
    job.status === 'QUEUED'
      ? 'Queued'
      : isCounting
        ? `${formatCount(done)} of ${countOf(total, 'file')} read`
        : job.status === 'INDEXING'
          ? 'Building the index'
          : 'Checking the files';
  return (
    <div className="px-4 pb-3.5 sm:pl-14">
      <Progress
        label={`Indexing of ${set.displayName}`}
        value={isCounting ? done : null}
        max={total}
        valueText={words}
        tone={job.status === 'QUEUED' ? 'quiet' : 'busy'}
      />
      <p className="tabular mt-1.5 flex justify-between gap-4 text-faint text-sm">
        <span>{words}</span>
        {job.secondsLeft !== null && <span>{formatSeconds(job.secondsLeft)} left</span>}
      </p>
    </div>
  );
}
