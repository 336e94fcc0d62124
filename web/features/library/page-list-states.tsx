import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/quantities.ts';
import { Loading, Skeleton } from '../../ui/skeleton.tsx';

export function PagesLoading() {
  return (
    <Loading label="Loading pages…" className="overflow-hidden rounded-lg border border-line bg-surface">
      <div className="h-9 border-line border-b bg-sunken" />
      {[0, 1, 2, 3, 4].map((row) => (
        <div key={row} className="flex h-14 items-center gap-8 border-line border-b px-4 last:border-b-0">
          <span className="flex flex-1 flex-col gap-1.5">
            <Skeleton className="h-4 w-2/5" />
            <Skeleton className="h-3 w-3/5" />
          </span>
          <Skeleton className="h-4 w-10 max-md:hidden" />
          <Skeleton className="h-4 w-12 max-md:hidden" />
        </div>
      ))}
    </Loading>
  );
}

/** Nothing at all, or nothing with these words. */
export function NoPages({ words, children, onClear }: { words: string; children: ReactNode; onClear: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-lg border border-line bg-surface px-4 py-5 text-soft">
      {words === '' ? children : `No page has “${words}” in its title or address.`}
      {words !== '' && (
        <Button size="sm" onClick={onClear}>
          Clear filter
        </Button>
      )}
    </div>
  );
}

interface MorePagesProps {
  shown: number;
  total: number;
  hasMore: boolean;
  isBusy: boolean;
  onMore: () => void;
}

/** How many are in sight, and the way to more. */
export function MorePages({ shown, total, hasMore, isBusy, onMore }: MorePagesProps) {
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-3">
      <p role="status" className="tabular text-faint text-sm">
        {shown < total ? `${shown.toLocaleString('en')} of ${countOf(total, 'page')}` : countOf(total, 'page')}
      </p>
      {hasMore && (
        <Button size="sm" isBusy={isBusy} onClick={onMore}>
          Show more pages
        </Button>
      )}
    </div>
  );
}
