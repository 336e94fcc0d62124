import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { documentPath } from '#contract/document-path.ts';
import type { ModulePage } from '#contract/documents.ts';
import type { LibraryModule } from '#contract/library.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { countOf, formatCount } from '../../ui/quantities.ts';
import { RelativeTime } from '../../ui/relative-time.tsx';
import { TableLoading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { MorePages, NoPages } from './page-list-states.tsx';
import { pagesOptions } from './page-queries.ts';

interface ServedPagesProps {
  module: LibraryModule;
  words: string;
  onClear: () => void;
}

/** Pages that are searched and read, each leading to how agents get it. */
export function ServedPages({ module, words, onClear }: ServedPagesProps) {
  const list = useInfiniteQuery(pagesOptions(useWorkspaceId(), module, words));
  if (list.data === undefined) {
    if (!list.isError) return <TableLoading label="Loading pages…" rows={5} height="h-14" />;
    return <RetryNotice query={list} title="Couldn't load the pages" />;
  }
  const pages = list.data.pages.flatMap((part) => part.pages);
  const total = list.data.pages.at(-1)?.total ?? 0;
  if (pages.length === 0) {
    return (
      <NoPages words={words} onClear={onClear}>
        This source has no pages.
      </NoPages>
    );
  }
  return (
    <>
      <Table
        caption="Pages that are served"
        columns={columnsFor(module)}
        rows={pages}
        rowKey={({ url }) => url}
        isPaged
      />
      <MorePages
        shown={pages.length}
        total={total}
        hasMore={list.hasNextPage}
        isBusy={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      />
    </>
  );
}

function columnsFor({ moduleId, visibility }: LibraryModule): Column<ModulePage>[] {
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
