import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/quantities.ts';

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
