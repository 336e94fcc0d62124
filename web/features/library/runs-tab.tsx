import { useQuery } from '@tanstack/react-query';
import { ListChecks } from 'lucide-react';
import { useSearchParams } from 'react-router';
import type { JobRun } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { jobsOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Segments } from '../../ui/segments.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { JobRows } from './job-rows.tsx';
import { isRunning } from './job-state.ts';

const outcomes = ['all', 'running', 'failed', 'complete'] as const;
type Outcome = (typeof outcomes)[number];
const outcomeLabels: Record<Outcome, string> = {
  all: 'All',
  running: 'In progress',
  failed: 'Failed',
  complete: 'Complete',
};

/** Job runs of every source, newest first. */
export function RunsTab() {
  const jobs = useQuery(jobsOptions(useWorkspaceId()));
  const [params, setParams] = useSearchParams();
  const outcome = outcomes.find((name) => name === params.get('runs')) ?? 'all';
  const show = (next: Outcome) =>
    setParams(next === 'all' ? { tab: 'runs' } : { tab: 'runs', runs: next }, {
      replace: true,
      preventScrollReset: true,
    });

  if (jobs.data === undefined) {
    return jobs.isError ? <RetryNotice query={jobs} title="Couldn't load the job runs" /> : <RunsLoading />;
  }
  if (jobs.data.length === 0) {
    return (
      <EmptyState icon={<ListChecks aria-hidden className="size-5" />} title="No runs yet">
        Each run reads a source and lists the pages found, the pages left out, and why.
      </EmptyState>
    );
  }
  const shown = jobs.data.filter((job) => hasOutcome(job, outcome)).slice(0, limits.jobRunsListed);
  return (
    <section aria-labelledby="all-runs" className="flex flex-col gap-3">
      <h2 id="all-runs" className="sr-only">
        Job runs
      </h2>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segments
          label="State of runs"
          value={outcome}
          options={outcomes.map((value) => ({ value, label: outcomeLabels[value] }))}
          onChange={show}
        />
        <p className="text-faint text-sm">Newest first, at most {limits.jobRunsListed}.</p>
      </div>
      {shown.length === 0 ? (
        <p className="rounded-lg border border-line bg-surface px-4 py-5 text-soft">
          No runs in this state. Choose another one above.
        </p>
      ) : (
        <JobRows jobs={shown} />
      )}
    </section>
  );
}

function hasOutcome(job: JobRun, outcome: Outcome): boolean {
  switch (outcome) {
    case 'all':
      return true;
    case 'running':
      return isRunning(job);
    case 'failed':
      return job.status === 'FAILED';
    case 'complete':
      return job.status === 'COMPLETE';
  }
}

function RunsLoading() {
  return (
    <Loading label="Loading job runs…" className="overflow-hidden rounded-lg border border-line bg-surface">
      {[0, 1, 2, 3].map((row) => (
        <div key={row} className="flex h-16 flex-col justify-center gap-2 border-line border-b px-10 last:border-b-0">
          <Skeleton className="h-4 w-52" />
          <Skeleton className="h-3 w-36" />
        </div>
      ))}
    </Loading>
  );
}
