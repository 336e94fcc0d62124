import { useQuery } from '@tanstack/react-query';
import { BookOpenText, ChevronRight, TriangleAlert } from 'lucide-react';
import { lazy, Suspense, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { JobRun } from '#contract/library.ts';
import { useAddressFilters } from '../../kit/address-filters.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { RoleAwaited } from '../../kit/role-awaited.tsx';
import { commands } from '../../lib/commands.ts';
import { useMayWrite, useSelectedTeam } from '../../lib/team-queries.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Notice } from '../../ui/notice.tsx';
import { PartHeading } from '../../ui/part-heading.tsx';
import { countOf, formatCompact, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { Skeleton, TableLoading } from '../../ui/skeleton.tsx';
import { useToast } from '../../ui/toast.tsx';
import { AddSource } from './add-source.tsx';
import { type ListedSource, needsAttention } from './listed-sources.ts';
import { privateIndexOptions } from './queries.ts';
import { SourceFilterBar } from './source-filter-bar.tsx';
import {
  filterSources,
  isFiltered,
  readSourceFilters,
  type SourceFilters,
  writeSourceFilters,
} from './source-filters.ts';
import { SourceTable } from './source-table.tsx';
import { UnderWay } from './under-way.tsx';
import { useSourceActions } from './use-source-actions.tsx';
import { useSources } from './use-sources.ts';

// Loaded lazily: a long list that few users of this tab need.
const Catalog = lazy(() => import('./catalog.tsx').then((part) => ({ default: part.Catalog })));

/** Shorter lists are readable without filters. */
const filtersFrom = 8;
/** Users with this many sources come for those, not for the catalog. */
const catalogOpenBelow = 2;

export function SourcesTab() {
  const toast = useToast();
  const team = useSelectedTeam();
  const mayWrite = useMayWrite();
  const tellStarted = ({ displayName }: JobRun) => toast({ message: `Indexing ${displayName}` });
  return (
    <div className="flex flex-col gap-7">
      {team === undefined ? (
        <RoleAwaited />
      ) : mayWrite ? (
        <>
          <AddSource onStarted={tellStarted} />
          <CatalogSection onStarted={tellStarted} />
        </>
      ) : (
        <ReadersNotice />
      )}
      <UnderWay />
      <Sources mayWrite={mayWrite} />
    </div>
  );
}

/** Open while there are few sources, collapsed afterwards. */
function CatalogSection({ onStarted }: { onStarted: (job: JobRun) => void }) {
  const { sources } = useSources();
  const [params] = useSearchParams();
  const [isOpen, setIsOpen] = useState<boolean | undefined>(params.has('library') || params.has('topic') || undefined);
  const isShown = isOpen ?? (sources !== undefined && sources.length < catalogOpenBelow);
  return (
    <section aria-labelledby="catalog" className="flex flex-col gap-4">
      <PartHeading id="catalog">
        <button
          type="button"
          aria-expanded={isShown}
          onClick={() => setIsOpen(!isShown)}
          className="-ml-1 inline-flex items-center gap-1.5 rounded-xs px-1"
        >
          <ChevronRight aria-hidden className={classNames('size-4 transition-transform', isShown && 'rotate-90')} />
          Add a popular library
        </button>
      </PartHeading>
      {isShown && (
        <Suspense fallback={<Skeleton className="h-96 w-full" />}>
          <Catalog onStarted={onStarted} />
        </Suspense>
      )}
    </section>
  );
}

function Sources({ mayWrite }: { mayWrite: boolean }) {
  const { sources, modules, sets } = useSources();
  if (sources?.length === 0) return <NoSources mayWrite={mayWrite} />;
  if (sources) {
    return (
      <>
        <SourceList sources={sources} />
        <PrivateIndexLine />
        {sets.isError && (
          <p className="text-faint text-sm">Failed to load PDF sets. Sets that were never indexed are missing here.</p>
        )}
      </>
    );
  }
  if (modules.isError) {
    return <RetryNotice query={modules} title="Couldn't load the sources" />;
  }
  return <TableLoading label="Loading sources…" height="h-15" />;
}

function SourceList({ sources }: { sources: ListedSource[] }) {
  const [params, changeAddress] = useAddressFilters();
  const filters = readSourceFilters(params);
  const { actions, dialogs } = useSourceActions();
  const shown = filterSources(sources, filters);
  const headingRef = useRef<HTMLHeadingElement>(null);
  const change = (part: Partial<SourceFilters>) => changeAddress(writeSourceFilters({ ...filters, ...part }));
  const waiting = sources.filter(needsAttention).length;
  const isShort = sources.length < filtersFrom && !isFiltered(filters);
  return (
    <section aria-labelledby="sources">
      <h2
        id="sources"
        ref={headingRef}
        tabIndex={-1}
        className="heading-part mb-2.5 flex flex-wrap items-baseline gap-x-2 outline-none"
      >
        Sources
        <span className="tabular font-normal text-faint text-sm">{sumWords(sources).join(', ')}</span>
      </h2>
      {waiting > 0 && filters.state !== 'attention' && !isShort && (
        <Button size="sm" className="mb-3" onClick={() => change({ state: 'attention' })}>
          <TriangleAlert aria-hidden className="size-3.5 text-warn" />
          {waiting === 1 ? '1 source needs attention' : `${formatCount(waiting)} sources need attention`}
        </Button>
      )}
      {!isShort && <SourceFilterBar sources={sources} filters={filters} onChange={change} />}
      <p role="status" className="sr-only">
        {isFiltered(filters) && `${countOf(shown.length, 'source')} of ${sources.length}`}
      </p>
      {shown.length === 0 ? (
        <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-surface px-4 py-5 text-soft">
          No source matches these filters.
          <Button
            size="sm"
            onClick={() => {
              change({ words: '', state: 'all', kind: 'all', visibility: 'all' });
              headingRef.current?.focus();
            }}
          >
            Clear filters
          </Button>
        </div>
      ) : (
        <SourceTable
          sources={shown}
          sorting={filters.sorting}
          onSortingChange={(sorting) => change({ sorting })}
          {...actions}
        />
      )}
      {dialogs}
    </section>
  );
}

function sumWords(sources: ListedSource[]): string[] {
  const modules = sources.flatMap(({ module }) => module ?? []);
  const pages = modules.reduce((sum, { pageCount }) => sum + pageCount, 0);
  const tokens = modules.reduce((sum, { tokenCount }) => sum + tokenCount, 0);
  return [countOf(sources.length, 'source'), countOf(pages, 'page'), `${formatCompact(tokens)} tokens`];
}

/** Shown instead of actions that only admins and writers may use. */
function ReadersNotice() {
  return (
    <Notice tone="info">
      You are a reader in this team: you can search its sources. Admins and writers add and remove them.
    </Notice>
  );
}

function NoSources({ mayWrite }: { mayWrite: boolean }) {
  if (!mayWrite) {
    return (
      <EmptyState icon={<BookOpenText aria-hidden className="size-5" />} title="Nothing is indexed yet">
        Sources that the team's admins and writers index appear here.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={<BookOpenText aria-hidden className="size-5" />}
      title="Nothing is indexed yet"
      action={
        <>
          <Button
            look="action"
            onClick={() => document.querySelector<HTMLInputElement>('input[name="source"]')?.focus()}
          >
            Add your first source
          </Button>
          <span className="text-faint text-sm">or from a terminal</span>
          <CodeBlock
            code={commands.index}
            isCommand
            label="Command that indexes a site"
            className="w-full max-w-md text-left"
          />
        </>
      }
    >
      Paste the address of a documentation site or a repository above. You can search a small one within a minute, and a
      large one while it is still being read.
    </EmptyState>
  );
}

/** A line about the workspace's private index; hidden while it is empty. */
function PrivateIndexLine() {
  const index = useQuery(privateIndexOptions(useWorkspaceId()));
  if (index.isError) {
    return (
      <p role="alert" className="flex flex-wrap items-center gap-2 text-danger text-sm">
        <span key={index.errorUpdatedAt}>Failed to load private index</span>
        <Button size="sm" isBusy={index.isFetching} onClick={() => void index.refetch()}>
          Try again
        </Button>
      </p>
    );
  }
  if (index.data === undefined || index.data.modules.length === 0) return null;
  const { modules, totalDocs, updatedAt } = index.data;
  return (
    <p className="tabular text-faint text-sm">
      Private index: {countOf(modules.length, 'source')}, {countOf(totalDocs, 'page')}
      {updatedAt !== null && (
        <>
          , updated <RelativeTime at={updatedAt} />
        </>
      )}
    </p>
  );
}
