import { ChevronLeft, RefreshCw, Search, SearchX } from 'lucide-react';
import { type FormEvent, type ReactNode, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import type { JobRun } from '#contract/library.ts';
import * as limits from '#contract/limits.ts';
import { hasPassingFailures } from '#contract/skip-reasons.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Button } from '../../ui/button.tsx';
import { ButtonLink } from '../../ui/button-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { inputClasses } from '../../ui/input-classes.ts';
import { Notice } from '../../ui/notice.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';
import { CoverageBar } from './coverage-bar.tsx';
import { HeldVersion } from './held-version.tsx';
import { JobProgress } from './job-progress.tsx';
import { JobRows } from './job-rows.tsx';
import { isRunning } from './job-state.ts';
import { LeftOut } from './left-out.tsx';
import { type ListedSource, sourceKey } from './listed-sources.ts';
import { PageList } from './page-list.tsx';
import { ProbeQuestions } from './probe-questions.tsx';
import { type SourceActions, SourceMenu } from './source-actions.tsx';
import { RepositoryFault, SourceFacts } from './source-facts.tsx';
import { KindIcon, PrivateMark, SourceStateBadge } from './source-name.tsx';
import { findSource, searchPath } from './source-path.ts';
import { useSourceActions } from './use-source-actions.tsx';
import { useSources } from './use-sources.ts';
import { WebhookSection } from './webhook-section.tsx';

/** A source's page: its contents, its last run, and its actions. */
export function SourceScreen({ moduleId }: { moduleId: string }) {
  const [params] = useSearchParams();
  const { sources, modules, jobs } = useSources();
  // Wait for the runs: they determine the source's state and take space above its pages.
  const source =
    jobs.isPending || sources === undefined ? undefined : findSource(sources, moduleId, params.get('visibility'));
  return (
    <div className="page flex flex-col gap-6 py-8">
      <Link
        to="/resources"
        className="-ml-1 inline-flex min-h-6 items-center gap-1 self-start rounded-xs pr-1 text-faint text-sm hover:text-ink"
      >
        <ChevronLeft aria-hidden className="size-4" />
        Resources
      </Link>
      {!source && <h1 className="sr-only">{moduleId}</h1>}
      {source ? (
        <SourcePage source={source} runs={(jobs.data ?? []).filter((job) => sourceKey(job) === sourceKey(source))} />
      ) : modules.isError && !sources ? (
        <RetryNotice query={modules} title="Couldn't load this source" />
      ) : sources && !jobs.isPending ? (
        <NoSuchSource moduleId={moduleId} />
      ) : (
        <SourceLoading />
      )}
    </div>
  );
}

function SourcePage({ source, runs }: { source: ListedSource; runs: JobRun[] }) {
  const navigate = useNavigate();
  const { actions, dialogs } = useSourceActions(() => void navigate('/resources'));
  const mayChange = actions.mayChange(source);
  const running = source.lastRun && isRunning(source.lastRun) ? source.lastRun : undefined;
  const lastEnded = runs.find((job) => !isRunning(job));
  return (
    <>
      <SourceHead source={source} isRunning={running !== undefined} actions={actions} />
      {running && (
        <Part title={source.module ? 'Refreshing' : 'Indexing'}>
          <div className="flex flex-wrap items-center gap-4 px-4 py-4 sm:px-5">
            <div className="min-w-0 flex-1 basis-64">
              <JobProgress job={running} />
            </div>
            {mayChange && (
              <Button
                size="sm"
                isBusy={running.isCancelled || actions.isBusy(source)}
                onClick={() => actions.onCancel(source)}
              >
                Cancel
              </Button>
            )}
          </div>
        </Part>
      )}
      <SourceFault source={source} actions={actions} />
      {source.module?.isSourceLost && (
        <Notice tone="warn" title="This source has lost its address">
          Its database row is damaged, but you can still search it. Refresh it to restore the address from its last run.
          If that fails, index the address again with the id {source.moduleId}.
        </Notice>
      )}
      <RepositoryFault source={source} />
      {source.module && <SourceSearch moduleId={source.moduleId} displayName={source.displayName} />}
      <SourceFacts source={source} />
      {source.module && source.kind === 'git' && mayChange && <WebhookSection source={source} />}
      {lastEnded && (
        <Part title="Coverage of the last run">
          <div className="flex flex-col gap-5 px-4 py-4 sm:px-5">
            <CoverageBar job={lastEnded} />
            <LeftOut job={lastEnded} />
            {source.module?.kind === 'site' && mayChange && !running && hasPassingFailures(lastEnded) && (
              <Button size="sm" className="self-start" onClick={() => actions.onRetryFailed(source)}>
                Retry failed pages
              </Button>
            )}
          </div>
        </Part>
      )}
      {source.module && <PageList module={source.module} lastEnded={lastEnded} />}
      {source.module && source.kind !== 'pdf' && <ProbeQuestions source={source} mayWrite={mayChange} />}
      {runs.length > 0 && (
        <section aria-labelledby="runs-of-source">
          <h2 id="runs-of-source" className="heading-part mb-2.5">
            Job runs
          </h2>
          <JobRows jobs={runs} />
        </section>
      )}
      {dialogs}
    </>
  );
}

interface SourceHeadProps {
  source: ListedSource;
  isRunning: boolean;
  actions: SourceActions;
}

function SourceHead({ source, isRunning, actions }: SourceHeadProps) {
  const isOwnToRefresh = actions.mayRefresh(source) && source.kind !== 'pdf' && !isRunning;
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div className="min-w-0 flex-1 basis-80">
        <div className="flex items-center gap-2.5">
          <KindIcon kind={source.kind} />
          <h1 className="heading-page">{source.displayName}</h1>
        </div>
        <p className="mt-1.5 flex flex-wrap items-center gap-x-2.5 gap-y-1.5 text-sm">
          <SourceStateBadge source={source} />
          {source.visibility === 'private' && <PrivateMark />}
          {source.url.startsWith('http') ? (
            <a
              href={source.url}
              target="_blank"
              rel="noreferrer"
              className="wrap-anywhere rounded-xs text-soft underline decoration-line-strong underline-offset-3 hover:text-ink"
            >
              {source.url}
            </a>
          ) : (
            <span className="wrap-anywhere text-soft">{source.url}</span>
          )}
        </p>
      </div>
      <div className="flex items-center gap-1.5">
        {isOwnToRefresh && (
          <Button isBusy={actions.isBusy(source)} onClick={() => actions.onRefresh(source)}>
            <RefreshCw aria-hidden className="size-4" />
            {source.module ? 'Refresh' : 'Try again'}
          </Button>
        )}
        <SourceMenu source={source} {...actions} />
      </div>
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="rounded-lg border border-line bg-surface shadow-sm">
      <h2 className="heading-part border-line border-b px-4 py-2.5 sm:px-5">{title}</h2>
      {children}
    </section>
  );
}

function NoSuchSource({ moduleId }: { moduleId: string }) {
  return (
    <EmptyState
      icon={<SearchX aria-hidden className="size-5" />}
      title={`Source “${moduleId.slice(0, 80)}” not found`}
      action={<ButtonLink to="/resources">All sources</ButtonLink>}
    >
      It was removed, or it belongs to another workspace.
    </EmptyState>
  );
}

function SourceLoading() {
  return (
    <Loading label="Loading the source…" className="flex flex-col gap-6">
      <div className="flex flex-col gap-2.5">
        <Skeleton className="h-8 w-64" />
        <Skeleton className="h-4 w-80 max-w-full" />
      </div>
      <Skeleton className="h-10 w-full" />
      <Skeleton className="h-40 w-full" />
    </Loading>
  );
}

/** Why the last run failed, its effect on searches, and what to do. */
function SourceFault({ source, actions }: { source: ListedSource; actions: SourceActions }) {
  const { state, lastRun, module, kind } = source;
  if (state !== 'failed' || lastRun === undefined) return null;
  if (lastRun.isHeld) {
    return (
      <HeldVersion
        job={lastRun}
        mayAccept={actions.mayChange(source)}
        mayRepeat={actions.mayRefresh(source)}
        onRepeat={() => actions.onRefresh(source)}
      />
    );
  }
  return (
    <Notice
      tone={module ? 'warn' : 'bad'}
      title={module ? 'The last refresh failed' : "Couldn't index this source"}
      action={
        kind === 'pdf' ? (
          <ButtonLink to="/resources?tab=pdf-sets">Show its files</ButtonLink>
        ) : (
          actions.mayRefresh(source) && <Button onClick={() => actions.onRefresh(source)}>Try again</Button>
        )
      }
    >
      {lastRun.error ?? 'The run failed for an unknown reason.'}
      {module && ' The earlier version is still served.'}
    </Notice>
  );
}

/** Opens the search screen with a search of this source only. */
function SourceSearch({ moduleId, displayName }: { moduleId: string; displayName: string }) {
  const [query, setQuery] = useState('');
  const navigate = useNavigate();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate(searchPath(moduleId, query.trim()));
  };
  return (
    <form role="search" aria-label={`Search in ${displayName}`} onSubmit={submit} className="flex gap-2">
      <div className="relative min-w-0 flex-1">
        <Search aria-hidden className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" />
        <input
          type="text"
          inputMode="search"
          enterKeyHint="search"
          aria-label={`Search in ${displayName}`}
          placeholder="Search in this source"
          autoComplete="off"
          spellCheck={false}
          maxLength={limits.queryCharactersMax}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className={`${inputClasses} pl-9!`}
        />
      </div>
      <Button type="submit">Search</Button>
    </form>
  );
}
