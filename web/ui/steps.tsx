import { useRef } from 'react';
import { flushSync } from 'react-dom';
import { Button } from './button.tsx';
import { formatCount } from './quantities.ts';
import { useEntryState } from './use-entry-state.ts';

/** Rows shown initially, and added per click: thousands of rows would make every keystroke slow. */
const rowsPerStep = 100;

/**
 * Shows a long list in steps. Returns the rows to show, the `listRef` to set on their container, and the button for
 * more, to be rendered below. The name must be unique on the page.
 */
export function useSteps<Row, List extends HTMLElement>(name: string, rows: readonly Row[]) {
  const [limit, setLimit] = useEntryState(`${name} rows`, rowsPerStep);
  const listRef = useRef<List>(null);
  const showMore = () => {
    const lastRow = listRef.current?.lastElementChild;
    flushSync(() => setLimit(limit + rowsPerStep));
    lastRow?.nextElementSibling?.querySelector<HTMLElement>('a, button')?.focus();
  };
  const more = rows.length > limit && (
    <div className="tabular flex flex-wrap items-center justify-between gap-3 px-4 py-2.5 text-faint text-sm">
      {formatCount(limit)} of {formatCount(rows.length)}
      <Button size="sm" onClick={showMore}>
        Show {formatCount(Math.min(rowsPerStep, rows.length - limit))} more
      </Button>
    </div>
  );
  return { shown: rows.slice(0, limit), listRef, more };
}
