import { useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { Link } from 'react-router';
import type { JobRun, LibraryModule } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { pagesOfJob } from '../../lib/job-pages.ts';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';
import { isStale } from '../../lib/stale-module.ts';
import { useMayWrite } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { buttonClasses } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Progress } from '../../ui/progress.tsx';
import { countOf, formatCompact } from '../../ui/quantities.ts';
import { RelativeTime, useNow } from '../../ui/relative-time.tsx';
import { Panel, PanelBody } from './panel.tsx';

const modulesShown = 5;
const problemsShown = 3;

/** Indexed sources and runs in progress. */
export function LibraryCard() {
  const modules = useQuery(modulesOptions(useWorkspaceId()));
  const jobs = useQuery(jobsOptions(useWorkspaceId()));
  const now = useNow(60_000);
  const running = jobs.data?.filter(({ endTime }) => endTime === null) ?? [];
  return (
    <Panel title="Documentation" more={{ path: '/resources', label: 'Resources' }}>
      <PanelBody query={modules} label="Sources">
        {(list) => (
          <>
            {running.length > 0 && (
              <ul className="flex flex-col gap-3 border-line border-b px-4 py-3 sm:px-5">
                {running.map((job) => (
                  <RunningJob key={job.id} job={job} />
                ))}
              </ul>
            )}
            <Problems problems={problemsOf(list, jobs.data ?? [], now)} />
            {list.length === 0 && running.length === 0 ? <NoModules /> : <Modules list={list} />}
          </>
        )}
      </PanelBody>
    </Panel>
  );
}

/** Sources that need attention, the most serious first, with links. */
function Problems({ problems }: { problems: Problem[] }) {
  if (problems.length === 0) return null;
  return (
    <ul aria-label="Needs attention" className="flex flex-col gap-2 border-line border-b px-4 py-3 sm:px-5">
      {problems.slice(0, problemsShown).map(({ moduleId, visibility, displayName, words, isGrave }) => (
        <li key={`${visibility} ${moduleId}`} className="flex gap-2.5">
          <TriangleAlert
            aria-hidden
            className={classNames('mt-0.75 size-3.5 shrink-0', isGrave ? 'text-danger' : 'text-warn')}
          />
          <div className="min-w-0">
            <Link
              to={pathOf(moduleId, visibility)}
              className="wrap-anywhere rounded-xs text-ink decoration-lamp-line underline-offset-3 hover:underline"
            >
              {displayName}
            </Link>
            <p className="line-clamp-2 text-faint text-xs">{words}</p>
          </div>
        </li>
      ))}
      {problems.length > problemsShown && (
        <li className="text-faint text-xs">
          <Link to="/resources?state=attention" className="rounded-xs underline underline-offset-3 hover:text-ink">
            {problems.length - problemsShown} more need attention
          </Link>
        </li>
      )}
    </ul>
  );
}

function pathOf(moduleId: string, visibility: LibraryModule['visibility']): string {
  const path = `/resources/${encodeURIComponent(moduleId)}`;
  return visibility === 'public' ? path : `${path}?visibility=private`;
}

function NoModules() {
  const mayWrite = useMayWrite();
  return (
    <div className="flex flex-col items-start gap-3 px-4 py-4 sm:px-5">
      <p className="text-soft">Nothing is indexed yet, so agents find nothing.</p>
      {mayWrite && (
        <Link to="/resources#add" className={buttonClasses('plain', 'sm')}>
          Add a source
        </Link>
      )}
    </div>
  );
}

function Modules({ list }: { list: LibraryModule[] }) {
  const newest = list.toSorted((a, b) => (b.lastUpdated ?? 0) - (a.lastUpdated ?? 0)).slice(0, modulesShown);
  const snippets = list.reduce((sum, { snippetCount }) => sum + snippetCount, 0);
  return (
    <>
      <ul className="flex flex-1 flex-col py-1.5">
        {newest.map(({ moduleId, visibility, displayName, pageCount, lastUpdated }) => (
          <li
            key={`${visibility} ${moduleId}`}
            className="grid items-baseline gap-x-4 px-4 py-1.5 sm:grid-cols-[minmax(0,1fr)_auto] sm:px-5"
          >
            <Link
              to={pathOf(moduleId, visibility)}
              className="wrap-anywhere rounded-xs text-ink decoration-lamp-line underline-offset-3 hover:underline"
            >
              {displayName}
            </Link>
            <span className="tabular text-faint text-xs">
              {countOf(pageCount, 'page')}
              {lastUpdated !== null && (
                <>
                  {' · '}
                  <RelativeTime at={lastUpdated} />
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
      <p className="tabular border-line border-t px-4 py-2.5 text-faint text-xs sm:px-5">
        {countOf(list.length, 'source')}, {formatCompact(snippets)} {snippets === 1 ? 'passage' : 'passages'}
      </p>
    </>
  );
}

function RunningJob({ job }: { job: JobRun }) {
  const { done, total } = pagesOfJob(job);
  return (
    <li className="flex flex-col gap-1.5">
      <div className="flex items-baseline justify-between gap-4">
        <span className="wrap-anywhere text-ink">{job.displayName}</span>
        <span className="tabular shrink-0 text-busy text-xs">
          {job.status === 'QUEUED'
            ? 'Waiting'
            : job.status === 'INDEXING'
              ? 'Indexing'
              : `${done} of ${countOf(total, 'page')}`}
        </span>
      </div>
      <Progress
        label={`Indexing ${job.displayName}`}
        value={job.found === 0 ? null : done}
        max={total}
        valueText={`${done} of ${countOf(total, 'page')}`}
      />
    </li>
  );
}

/** A source that needs attention. */
interface Problem extends Pick<LibraryModule, 'moduleId' | 'visibility' | 'displayName'> {
  words: string;
  /** True if none of its pages is searchable. */
  isGrave: boolean;
}

/** Returns the sources that are stale or whose latest run failed. `jobs` must be sorted from newest to oldest. */
export function problemsOf(modules: LibraryModule[], jobs: JobRun[], now: number): Problem[] {
  const keyOf = ({ visibility, moduleId }: LibraryModule | JobRun) => `${visibility} ${moduleId}`;
  const served = new Map(modules.map((module) => [keyOf(module), module]));
  const newest = new Map<string, JobRun>();
  for (const job of jobs) if (!job.isModuleRemoved && !newest.has(keyOf(job))) newest.set(keyOf(job), job);
  const failed = [...newest.values()].filter(({ status, isCancelled }) => status === 'FAILED' && !isCancelled);
  const failures = failed.map(
    (job): Problem => ({
      ...facesOf(served.get(keyOf(job)) ?? job),
      words: job.error ?? 'The last run failed.',
      isGrave: !served.has(keyOf(job)),
    }),
  );
  const stale = modules.filter((module) => isStale(module, now) && newest.get(keyOf(module))?.status !== 'FAILED');
  return [
    ...failures.filter(({ isGrave }) => isGrave),
    ...failures.filter(({ isGrave }) => !isGrave),
    ...stale.map(
      (module): Problem => ({
        ...facesOf(module),
        words: `Not refreshed for more than ${limits.sourceStaleDays} days.`,
        isGrave: false,
      }),
    ),
  ];
}

function facesOf({ moduleId, visibility, displayName }: LibraryModule | JobRun) {
  return { moduleId, visibility, displayName };
}
