import type { ReactNode } from 'react';
import { RetryNotice } from '../kit/retry-notice.tsx';
import { Loading, Skeleton } from '../ui/skeleton.tsx';

interface ResourceListProps<Item, Data> {
  query: { data: Data | undefined; error: unknown; isError: boolean; isFetching: boolean; refetch: () => unknown };
  items: (data: Data) => readonly Item[];
  /** The list's name within a sentence: "your API keys". */
  label: string;
  /** Announced to screen readers while the list loads. */
  loadingLabel?: string;
  /** Shown if the list is empty. */
  empty: ReactNode;
  /** Only items that match are shown. */
  filter?: { matches: (item: Item) => boolean; empty: ReactNode } | undefined;
  /** Number of placeholder rows while the list loads. */
  rows?: number;
  children: (items: readonly Item[]) => ReactNode;
}

/** A list loaded from the server, with its loading, failed, empty and fully filtered states. */
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
