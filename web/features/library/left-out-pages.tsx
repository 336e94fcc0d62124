import { useInfiniteQuery } from '@tanstack/react-query';
import type { JobLogEntry } from '#contract/library.ts';
import { skipReasonText } from '#contract/skip-reasons.ts';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { useWorkspaceId } from '../../lib/workspace.ts';
import { Badge } from '../../ui/badge.tsx';
import { TableLoading } from '../../ui/skeleton.tsx';
import { type Column, Table } from '../../ui/table.tsx';
import { MorePages, NoPages } from './page-list-states.tsx';
import { leftOutOptions } from './page-queries.ts';

interface LeftOutPagesProps {
  jobId: string;
  words: string;
  onClear: () => void;
}

/** What the last run did not take, each address with its reason. */
export function LeftOutPages({ jobId, words, onClear }: LeftOutPagesProps) {
  const log = useInfiniteQuery(leftOutOptions(useWorkspaceId(), jobId, words));
  if (log.data === undefined) {
    if (!log.isError) return <TableLoading label="Loading pages…" rows={5} height="h-14" />;
    return <RetryNotice query={log} title="Couldn't load the pages" />;
  }
  const entries = log.data.pages.flatMap((part) => part.entries);
  if (entries.length === 0) {
    return (
      <NoPages words={words} onClear={onClear}>
        This run's log is no longer kept. The reasons are counted above.
      </NoPages>
    );
  }
  return (
    <>
      <Table
        caption="Pages that were left out"
        columns={columns}
        rows={entries}
        rowKey={({ address, reason }) => `${reason} ${address}`}
        isPaged
      />
      <MorePages
        shown={entries.length}
        total={log.data.pages[0]?.total ?? entries.length}
        hasMore={log.hasNextPage}
        isBusy={log.isFetchingNextPage}
        onMore={() => void log.fetchNextPage()}
      />
    </>
  );
}

const columns: Column<JobLogEntry>[] = [
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
