import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { JobRun } from '#contract/library.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { JobRows } from './job-rows.tsx';
import { isRunning } from './job-state.ts';

/** Runs that are under way, and those that ended while somebody was looking: nothing vanishes the moment it is done. */
export function UnderWay() {
  const followed = useFollowedRuns();
  const running = followed.filter(isRunning);
  if (followed.length === 0) return null;
  return (
    <section aria-labelledby="under-way">
      <h2 id="under-way" className="heading-part mb-2.5 flex items-baseline gap-2">
        Under way
        <span className="tabular font-normal text-faint text-sm">
          {running.length === 0 ? 'All done' : `${running.length} running`}
        </span>
      </h2>
      <JobRows jobs={followed} isFollowed />
    </section>
  );
}

function useFollowedRuns(): JobRun[] {
  const jobs = useQuery(jobsOptions(useWorkspaceId())).data ?? [];
  const [known, setKnown] = useState<ReadonlySet<string>>(new Set());
  const fresh = jobs.filter((job) => isRunning(job) && !known.has(job.id));
  if (fresh.length > 0) setKnown(new Set([...known, ...fresh.map(({ id }) => id)]));
  return jobs.filter(({ id, isModuleRemoved }) => known.has(id) && !isModuleRemoved);
}
