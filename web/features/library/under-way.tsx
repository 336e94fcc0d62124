import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import type { JobRun } from '#contract/library.ts';
import { jobsOptions } from '../../lib/library-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { countOf } from '../../ui/quantities.ts';
import { JobRows } from './job-rows.tsx';
import { isRunning, mostWantedFirst } from './job-state.ts';

/** More runs would push the sources out of sight; the Runs tab lists all of them. */
const shownMax = 8;

/** Runs in progress, and those that ended while this was open, so that no run disappears the moment it is done. */
export function UnderWay() {
  const followed = useFollowedRuns();
  if (followed.length === 0) return null;
  const shown = followed.length > shownMax ? mostWantedFirst(followed).slice(0, shownMax) : followed;
  return (
    <section aria-labelledby="under-way">
      <h2 id="under-way" className="heading-part mb-2.5 flex items-baseline gap-2">
        Recent runs
        <span role="status" className="tabular font-normal text-faint text-sm">
          {howFar(followed)}
        </span>
      </h2>
      <JobRows jobs={shown} isFollowed />
      {followed.length > shown.length && (
        <p className="mt-2 text-soft text-sm">
          {countOf(followed.length - shown.length, 'more run')}:{' '}
          <Link to="/resources?tab=runs" className="underline underline-offset-3">
            all job runs
          </Link>
        </p>
      )}
    </section>
  );
}

function howFar(followed: JobRun[]): string {
  const running = followed.filter(isRunning);
  const waiting = running.filter(({ status }) => status === 'QUEUED').length;
  const failed = followed.filter(({ status, isCancelled }) => status === 'FAILED' && !isCancelled).length;
  const words = [];
  if (running.length > waiting) words.push(`${running.length - waiting} running`);
  if (waiting > 0) words.push(`${waiting} waiting`);
  if (failed > 0) words.push(`${failed} failed`);
  return words.length === 0 ? 'All done' : words.join(', ');
}

/**
 * Returns all runs except those that had ended before: a run may end between two reads, without being seen in progress.
 */
function useFollowedRuns(): JobRun[] {
  const workspace = useWorkspaceId();
  const jobs = useQuery(jobsOptions(workspace)).data;
  const [before, setBefore] = useState<{ workspace: string; ended: string[] }>();
  if (jobs === undefined) return [];
  if (before?.workspace !== workspace) {
    setBefore({ workspace, ended: jobs.filter((job) => !isRunning(job)).map(({ id }) => id) });
    return [];
  }
  return jobs.filter(({ id, isModuleRemoved }) => !before.ended.includes(id) && !isModuleRemoved);
}
