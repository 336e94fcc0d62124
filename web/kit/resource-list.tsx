import type { ReactNode } from 'react';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

interface ResourceListProps<Item, Data> {
  query: { data: Data | undefined; error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  items: (data: Data) => readonly Item[];
  /** The list inside a sentence: "your API keys". */
  label: string;
  /** What is read out while the list loads. */
  loadingLabel?: string;
  /** In place of an empty list. */
  empty: ReactNode;
  /** Only items that match are shown. */
  filter?: { matches: (item: Item) => boolean; empty: ReactNode } | undefined;
  /** Rows that stand in for the list while it loads. */
  rows?: number;
  children: (items: readonly Item[]) => ReactNode;
}

/** A list that was read from the server: while it loads, when that failed, when it is empty, when a filter hides all of it. */
export function ResourceList<Item, Data>(props: ResourceListProps<Item, Data>) {
  const { query, label, filter, rows = 4 } = props;
  if (query.data !== undefined) {
    const items = props.items(query.data);
    if (items.length === 0) return props.empty;
    const shown = filter === undefined ? items : items.filter(filter.matches);
    return shown.length === 0 ? filter?.empty : props.children(shown);
  }
  if (query.isError) {
    return <RetryNotice query={query} title={`Couldn't load ${label}`} />;
  }
  return (
    <Loading
      label={props.loadingLabel ?? `Loading ${label}…`}
      className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface"
    >
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-14 items-center justify-between gap-6 px-4">
          <Skeleton className={row % 2 === 0 ? 'h-4 w-44' : 'h-4 w-32'} />
          <Skeleton className="h-4 w-16" />
        </div>
      ))}
    </Loading>
  );
}
