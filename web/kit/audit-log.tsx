import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { AuditEntry } from '#contract/audit.ts';
import { Button } from '../ui/button.tsx';
import { countOf } from '../ui/quantities.ts';
import { RelativeTime } from '../ui/relative-time.tsx';
import { TableLoading } from '../ui/skeleton.tsx';
import { type Column, Table } from '../ui/table.tsx';
import { NothingMatches } from './nothing-matches.tsx';
import { RetryNotice } from './retry-notice.tsx';

interface AuditLogProps {
  caption: string;
  log: UseInfiniteQueryResult<InfiniteData<{ entries: AuditEntry[] }>>;
  actorOf: (entry: AuditEntry) => string;
  /** Renders the label of an action. */
  actionOf: (entry: AuditEntry) => ReactNode;
  /** Columns in addition to the standard ones: when, who and what. */
  columns?: Column<AuditEntry>[];
  details?: (entry: AuditEntry) => { label: string; content: ReactNode } | undefined;
  /** Shown if no entry matches the filters. */
  emptyText: string;
  onClear: () => void;
}

/** A paged audit log, newest entries first. Tells screen readers how many entries match the filters. */
export function AuditLog({ isFiltered, ...props }: AuditLogProps & { isFiltered: boolean }) {
  const { data, hasNextPage } = props.log;
  const count = data?.pages.reduce((sum, { entries }) => sum + entries.length, 0);
  return (
    <>
      <p role="status" className="sr-only">
        {isFiltered && count !== undefined && `${hasNextPage ? 'More than ' : ''}${countOf(count, 'entry', 'entries')}`}
      </p>
      <Entries {...props} />
    </>
  );
}

function Entries({ caption, log, columns = [], details, emptyText, onClear, ...words }: AuditLogProps) {
  const fault = log.isError && <RetryNotice query={log} title="Couldn't load the log" />;
  if (log.data === undefined) return fault || <TableLoading label="Loading the log…" height="h-11" />;
  const entries = log.data.pages.flatMap((page) => page.entries);
  if (entries.length === 0) return <NothingMatches onClear={onClear}>{emptyText}</NothingMatches>;
  return (
    <>
      <Table
        caption={caption}
        columns={[...columnsFor(words), ...columns]}
        rows={entries}
        rowKey={({ id }) => id}
        isPaged
        {...(details === undefined ? {} : { details })}
      />
      {fault}
      {log.hasNextPage && !fault && (
        <Button className="self-center" isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
          Show earlier
        </Button>
      )}
    </>
  );
}

function columnsFor({ actorOf, actionOf }: Pick<AuditLogProps, 'actorOf' | 'actionOf'>): Column<AuditEntry>[] {
  return [
    {
      id: 'when',
      label: 'When',
      isWide: true,
      cell: ({ at }) => (
        <span className="text-soft">
          <RelativeTime at={at} />
        </span>
      ),
    },
    {
      id: 'who',
      label: 'Who',
      isWide: true,
      cell: (entry) => <span className="wrap-anywhere text-ink">{actorOf(entry)}</span>,
    },
    {
      id: 'what',
      label: 'What',
      cell: (entry) => (
        <>
          <p>{actionOf(entry)}</p>
          <p className="mt-0.5 text-faint text-xs md:hidden">
            {actorOf(entry)}, <RelativeTime at={entry.at} />
          </p>
        </>
      ),
    },
  ];
}
