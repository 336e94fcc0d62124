import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { RetryNotice } from '../../kit/retry-notice.tsx';
import { Explain } from '../../ui/explain.tsx';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';

interface PanelProps {
  title: string;
  /** A sentence that explains the title. */
  about?: string;
  /** Link to the full list. */
  more?: { path: string; label: string };
  children: ReactNode;
}

/** A section of the overview with its heading. */
export function Panel({ title, about, more, children }: PanelProps) {
  return (
    <section aria-label={title} className="flex flex-col rounded-lg border border-line bg-surface shadow-sm">
      <div className="flex min-h-11 items-center justify-between gap-3 border-line border-b px-4 sm:px-5">
        <span className="flex items-center gap-1">
          <h2 className="heading-part">{title}</h2>
          {about !== undefined && <Explain term={title}>{about}</Explain>}
        </span>
        {more && (
          <Link
            to={more.path}
            className="inline-flex min-h-6 items-center rounded-xs text-faint text-sm hover:text-ink"
          >
            {more.label}
          </Link>
        )}
      </div>
      {children}
    </section>
  );
}

interface PanelBodyProps<Data> {
  query: Pick<UseQueryResult<Data>, 'data' | 'error' | 'isError' | 'isFetching' | 'refetch'>;
  label: string;
  rows?: number;
  children: (data: Data) => ReactNode;
}

/** A panel's content in its loading, failed and loaded states. */
export function PanelBody<Data>({ query, label, rows = 3, children }: PanelBodyProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  // Lower case for use within a sentence: "calls", but "API keys".
  const within = label.replace(/^[A-Z](?![A-Z])/, (letter) => letter.toLowerCase());
  if (query.isError) {
    return (
      <div className="px-4 py-4 sm:px-5">
        <RetryNotice query={query} title={`Couldn't load ${within}`} isSmall />
      </div>
    );
  }
  return (
    <Loading label={`Loading ${within}…`} className="flex flex-col gap-3.5 px-4 py-4 sm:px-5">
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} className={row % 2 === 0 ? 'h-4 w-4/5' : 'h-4 w-3/5'} />
      ))}
    </Loading>
  );
}
