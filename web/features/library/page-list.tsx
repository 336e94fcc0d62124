import {
  infiniteQueryOptions,
  keepPreviousData,
  type UseInfiniteQueryResult,
  useInfiniteQuery,
} from '@tanstack/react-query';
import { Search } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { documentPath } from '#contract/document-path.ts';
import { documentEndpoints, type ModulePage } from '#contract/documents.ts';
import type { JobLogEntry, JobRun, LibraryModule } from '#contract/library.ts';
import { skipReasonText } from '#contract/skip-reasons.ts';
import { useAddressFilters, useFilterWords } from '../../kit/address-filters.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { callApi } from '../../lib/api-client.ts';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { inputClasses } from '../../ui/input-classes.ts';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableLoading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { Tabs } from '../../ui/tabs.tsx';
import { leftOutOptions } from './queries.ts';

type Shown = 'served' | 'left-out';

/** All pages that a source serves, and the pages its last run left out. */
export function PageList({ module, lastEnded }: { module: LibraryModule; lastEnded: JobRun | undefined }) {
  const [params, change] = useAddressFilters();
  const words = params.get('filter') ?? '';
  const [typed, setTyped] = useFilterWords(words, (filter) => change({ filter }));
  const clear = () => setTyped('');
  const leftOut = lastEnded === undefined ? 0 : lastEnded.skipped + lastEnded.failed;
  const tabs: { name: Shown; label: string; panel: ReactNode }[] = [
    {
      name: 'served',
      label: `Served ${formatCount(module.pageCount)}`,
      panel: <ServedPages module={module} words={words} onClear={clear} />,
    },
    ...(lastEnded === undefined || leftOut === 0
      ? []
      : [
          {
            name: 'left-out' as const,
            label: `Left out ${formatCount(leftOut)}`,
            panel: <LeftOutPages jobId={lastEnded.id} words={words} onClear={clear} />,
          },
        ]),
  ];
  return (
    <section aria-labelledby="pages-of-source">
      <h2 id="pages-of-source" className="heading-part mb-2.5">
        Pages
      </h2>
      <Tabs
        label="Pages"
        look="pill"
        value={tabs.find(({ name }) => name === params.get('pages'))?.name ?? 'served'}
        onChange={(pages) => change({ pages: pages === 'served' ? '' : pages })}
        panelClassName="mt-3"
        tabs={tabs}
        aside={
          <div role="search" aria-label="Filter pages" className="relative w-full sm:w-72">
            <Search aria-hidden className="pointer-events-none absolute top-2 left-2.5 size-4 text-faint" />
            <input
              type="search"
              aria-label="Filter pages by title or address"
              placeholder="Title or address"
              autoComplete="off"
              spellCheck={false}
              value={typed}
              onChange={(event) => setTyped(event.target.value)}
              onKeyDown={(event) => event.key === 'Escape' && typed !== '' && clear()}
              className={`${inputClasses} h-8! pl-8.5! text-sm!`}
            />
          </div>
        }
      />
    </section>
  );
}

interface TabProps {
  words: string;
  onClear: () => void;
}

/** Pages that are searchable, each with a link to the agents' view. */
function ServedPages({ module, ...tab }: TabProps & { module: LibraryModule }) {
  const list = useInfiniteQuery(pagesOptions(useWorkspaceId(), module, tab.words));
  return (
    <PagedTable
      {...tab}
      query={list}
      caption="Pages that are served"
      columns={servedColumns(module)}
      rows={list.data?.pages.flatMap((part) => part.pages)}
      rowKey={({ url }) => url}
      total={list.data?.pages.at(-1)?.total ?? 0}
      emptyText="This source has no pages."
    />
  );
}

/** A module's pages whose title or address contains the words. Each new version has its own list. */
function pagesOptions(workspace: string, { moduleId, visibility, lastUpdated }: LibraryModule, words: string) {
  return infiniteQueryOptions({
    queryKey: ['modulePages', workspace, visibility, moduleId, lastUpdated, words],
    queryFn: ({ pageParam, signal }) =>
      callApi(documentEndpoints.listModulePages, { moduleId, visibility, words, from: pageParam }, signal, workspace),
    initialPageParam: 0,
    getNextPageParam: ({ total, pages }, _, from) =>
      pages.length > 0 && from + pages.length < total ? from + pages.length : undefined,
    placeholderData: keepPreviousData,
  });
}

function servedColumns({ moduleId, visibility }: LibraryModule): Column<ModulePage>[] {
  return [
    {
      id: 'page',
      label: 'Page',
      cell: (page) => (
        <span className="block min-w-0">
          <Link
            to={documentPath(page.url, { moduleId, visibility })}
            className="wrap-anywhere rounded-xs font-medium text-ink underline decoration-line-strong underline-offset-3 hover:decoration-current"
          >
            {page.title || page.url}
          </Link>
          <span className="wrap-anywhere block text-faint text-xs">{page.url}</span>
          <span className="tabular block text-faint text-xs md:hidden">
            {countOf(page.snippets, 'passage')} · {countOf(page.tokens, 'token')}
          </span>
        </span>
      ),
    },
    {
      id: 'snippets',
      label: 'Passages',
      isNumeric: true,
      isWide: true,
      cell: ({ snippets }) => formatCount(snippets),
    },
    { id: 'tokens', label: 'Tokens', isNumeric: true, isWide: true, cell: ({ tokens }) => formatCount(tokens) },
    {
      id: 'read',
      label: 'Read',
      isWide: true,
      cell: ({ fetchedAt }) => (
        <span className="whitespace-nowrap text-soft">
          <RelativeTime at={fetchedAt} />
        </span>
      ),
    },
  ];
}

/** The addresses that the last run left out, with their reasons. */
function LeftOutPages({ jobId, ...tab }: TabProps & { jobId: string }) {
  const log = useInfiniteQuery(leftOutOptions(useWorkspaceId(), jobId, tab.words));
  return (
    <PagedTable
      {...tab}
      query={log}
      caption="Pages that were left out"
      columns={leftOutColumns}
      rows={log.data?.pages.flatMap((part) => part.entries)}
      rowKey={({ address, reason }) => `${reason} ${address}`}
      total={log.data?.pages[0]?.total ?? 0}
      emptyText="This run's log is no longer kept. The reasons are counted above."
    />
  );
}

const leftOutColumns: Column<JobLogEntry>[] = [
  {
    id: 'address',
    label: 'Address',
    cell: ({ address, reason }) => (
      <span className="block min-w-0">
        <span className="wrap-anywhere font-mono text-ink text-xs">{address}</span>
        <span className="block text-soft text-sm md:hidden">{skipReasonText(reason)}</span>
      </span>
    ),
  },
  {
    id: 'reason',
    label: 'Why',
    isWide: true,
    cell: ({ status, reason }) => (
      <span className="flex items-center gap-2 text-soft">
        {status === 'failed' && <Badge tone="bad">Failed</Badge>}
        {skipReasonText(reason)}
      </span>
    ),
  },
];

interface PagedTableProps<Row> extends TabProps {
  query: UseInfiniteQueryResult;
  caption: string;
  columns: Column<Row>[];
  rows: Row[] | undefined;
  rowKey: (row: Row) => string;
  total: number;
  /** Shown if there are no pages, regardless of the filter. */
  emptyText: string;
}

/** A table of pages with a button for more, or a notice while it loads, fails or is empty. */
function PagedTable<Row>({ query, rows, total, words, emptyText, onClear, ...table }: PagedTableProps<Row>) {
  if (rows === undefined) {
    if (!query.isError) return <TableLoading label="Loading pages…" rows={5} height="h-14" />;
    return <RetryNotice query={query} title="Couldn't load the pages" />;
  }
  const isEmpty = rows.length === 0;
  const none = words === '' ? emptyText : `No page has “${words}” in its title or address.`;
  const count = `${rows.length < total ? `${rows.length.toLocaleString('en')} of ` : ''}${countOf(total, 'page')}`;
  return (
    <>
      {!isEmpty && <Table {...table} rows={rows} isPaged />}
      <div
        className={classNames(
          'flex flex-wrap items-center justify-between gap-3',
          isEmpty ? 'rounded-lg border border-line bg-surface px-4 py-5' : 'mt-2',
        )}
      >
        {/* One element in both cases: screen readers announce changes of it. */}
        <p role="status" className={isEmpty ? 'text-soft' : 'tabular text-faint text-sm'}>
          {isEmpty ? none : count}
        </p>
        {isEmpty && words !== '' && (
          <Button size="sm" onClick={onClear}>
            Clear filter
          </Button>
        )}
        {!isEmpty && query.hasNextPage && (
          <Button size="sm" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            Show more pages
          </Button>
        )}
      </div>
    </>
  );
}
