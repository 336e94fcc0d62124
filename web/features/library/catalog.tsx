import { useQuery } from '@tanstack/react-query';
import { Check, Plus, Search } from 'lucide-react';
import { Link } from 'react-router';
import { type CatalogLibrary, catalogTopics, findInCatalog } from '#contract/catalog.ts';
import { type JobRun, libraryEndpoints } from '#contract/library.ts';
import { useAddressFilters, useFilterWords } from '../../kit/address-filters.ts';
import { useAction } from '../../kit/endpoint-query.ts';
import { Fault } from '../../kit/fault.tsx';
import { jobsOptions, modulesOptions } from '../../lib/library-queries.ts';
import { individualWorkspace, useWorkspaceId } from '../../lib/workspace.ts';
import { Button, buttonClasses } from '../../ui/button.tsx';
import { TextField } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Select } from '../../ui/select.tsx';
import { useEntryState } from '../../ui/use-entry-state.ts';
import { JobProgress } from './job-progress.tsx';
import { isRunning } from './job-state.ts';
import { useMayPublish } from './source-options.tsx';
import { searchPath } from './source-path.ts';

/** Enough to fill a screen; the search field finds the others. */
const shownAtFirst = 12;
const everyTopic = 'all';

/** Well-known libraries as cards, each with a button that indexes its documentation. */
export function Catalog({ onStarted }: { onStarted?: (job: JobRun) => void }) {
  const [params, change] = useAddressFilters();
  const words = params.get('library') ?? '';
  const [typed, setTyped] = useFilterWords(words, (library) => change({ library }));
  const topic = Object.keys(catalogTopics).find((name) => name === params.get('topic')) ?? everyTopic;
  const [isWhole, setIsWhole] = useEntryState('Catalog', false);
  const found = findInCatalog(words).filter((library) => topic === everyTopic || library.topic === topic);
  const shown = isWhole ? found : found.slice(0, shownAtFirst);
  const states = useCardStates();
  const unreachable = states.failed(found);
  return (
    <div className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Find a library"
          isLabelHidden
          type="search"
          placeholder="Find a library, such as React or Django"
          autoComplete="off"
          value={typed}
          onValueChange={setTyped}
          after={<Search aria-hidden className="absolute top-2.5 right-3 size-4 text-faint" />}
          className="flex-1 basis-64"
        />
        <Select
          label="Topic"
          value={topic}
          options={[
            { value: everyTopic, label: 'All topics' },
            ...Object.entries(catalogTopics).map(([value, label]) => ({ value, label })),
          ]}
          onChange={(value) => change({ topic: value === everyTopic ? '' : value })}
          className="h-9! w-44"
        />
      </div>
      <p role="status" className="sr-only">
        {countOf(found.length, 'library', 'libraries')}
      </p>
      {unreachable !== undefined && (
        <Notice tone="warn" title={`${unreachable.displayName} was not indexed`}>
          {unreachable.error} If this server has no internet access, add the documentation from an address on your
          network, or from a folder on the server.
        </Notice>
      )}
      {found.length === 0 ? (
        <p className="rounded-lg border border-line bg-surface px-4 py-5 text-soft">
          Not in the catalog. Paste the address of its documentation instead.
        </p>
      ) : (
        <ul className="grid gap-2.5 sm:grid-cols-2 xl:grid-cols-3">
          {shown.map((library) => (
            <CatalogCard key={library.id} library={library} state={states.of(library)} onStarted={onStarted} />
          ))}
        </ul>
      )}
      {shown.length < found.length && (
        <Button size="sm" className="self-start" onClick={() => setIsWhole(true)}>
          Show all {found.length}
        </Button>
      )}
    </div>
  );
}

interface CardState {
  job: JobRun | undefined;
  /** The id for searching it, once it is indexed. */
  moduleId: string | undefined;
}

/** Returns the libraries' states in the current workspace, matched by address. */
function useCardStates() {
  const workspace = useWorkspaceId();
  const modules = useQuery(modulesOptions(workspace)).data ?? [];
  const jobs = useQuery(jobsOptions(workspace)).data ?? [];
  const of = ({ docs }: CatalogLibrary): CardState => ({
    job: jobs.find(({ url, isModuleRemoved }) => url === docs && !isModuleRemoved),
    moduleId: modules.find(({ url }) => url === docs)?.moduleId,
  });
  return {
    of,
    failed: (libraries: readonly CatalogLibrary[]) =>
      libraries
        .map((library) => of(library))
        .filter(({ job, moduleId }) => job?.status === 'FAILED' && !job.isCancelled && moduleId === undefined)
        .map(({ job }) => job)
        .toSorted((a, b) => (b?.createdAt ?? 0) - (a?.createdAt ?? 0))[0],
  };
}

interface CatalogCardProps {
  library: CatalogLibrary;
  state: CardState;
  onStarted: ((job: JobRun) => void) | undefined;
}

function CatalogCard({ library, state: { job, moduleId }, onStarted }: CatalogCardProps) {
  const isPrivate = useIsAddedPrivately();
  const start = useAction(libraryEndpoints.startIndexJob, {
    invalidates: ['jobRuns', 'recognisedSource'],
    onDone: (answer) => onStarted?.(answer.job),
  });
  const running = job !== undefined && isRunning(job);
  const add = () =>
    start.mutate({
      source: library.docs,
      displayName: library.name,
      library: library.name,
      visibility: isPrivate ? 'private' : 'public',
    });
  return (
    <li className="flex flex-col justify-center gap-2 rounded-lg border border-line bg-surface px-4 py-3 shadow-sm">
      <div className="flex items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="truncate font-medium text-ink">{library.name}</p>
          <p className="truncate text-faint text-xs">{new URL(library.docs).host}</p>
        </div>
        {moduleId !== undefined ? (
          <Link
            to={searchPath(moduleId)}
            aria-label={`Search ${library.name}`}
            className={buttonClasses('quiet', 'sm')}
          >
            <Check aria-hidden className="size-3.5 text-lamp" />
            Added
          </Link>
        ) : (
          !running && (
            <Button size="sm" isBusy={start.isPending} aria-label={`Add ${library.name}`} onClick={add}>
              <Plus aria-hidden className="size-3.5" />
              Add
            </Button>
          )
        )}
      </div>
      {running && <JobProgress job={job} />}
      <Fault error={start.error} />
    </li>
  );
}

/**
 * Returns true if new sources are private: the operator adds public sources in their own workspace; in teams, and for
 * other users, sources are private.
 */
export function useIsAddedPrivately(): boolean {
  const mayPublish = useMayPublish();
  const isInTeam = useWorkspaceId() !== individualWorkspace;
  return isInTeam || !mayPublish;
}
