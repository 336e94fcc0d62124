import { ChevronRight } from 'lucide-react';
import { Fragment, type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { useSteps } from './steps.tsx';
import { useEntryState } from './use-entry-state.ts';

export type SortDirection = 'ascending' | 'descending';

export interface Column<Row> {
  id: string;
  label: string;
  /** Hides the column's label visually (the row's menu). */
  isLabelHidden?: boolean;
  /** Aligns numbers to the right, in tabular figures. */
  isNumeric?: boolean;
  /** Hidden below 48rem, where another cell shows its content. */
  isWide?: boolean;
  /** The sort key; a column without it is not sortable. */
  sortBy?: (row: Row) => string | number;
  cell: (row: Row) => ReactNode;
}

/** Returns the last column, with the row's actions. */
export function actionsColumn<Row>(cell: (row: Row) => ReactNode): Column<Row> {
  return { id: 'actions', label: 'Actions', isLabelHidden: true, isNumeric: true, cell };
}

export interface Sorting {
  columnId: string;
  direction: SortDirection;
}

/** Returns the next sort order when a header is clicked: ascending, descending, none. */
export function nextSorting(sorting: Sorting | undefined, columnId: string): Sorting | undefined {
  if (sorting?.columnId !== columnId) return { columnId, direction: 'ascending' };
  return sorting.direction === 'ascending' ? { columnId, direction: 'descending' } : undefined;
}

/** Returns sorted rows; equal rows keep their order. */
export function sortRows<Row>(rows: Row[], columns: Column<Row>[], sorting: Sorting | undefined): Row[] {
  const sortBy = columns.find(({ id }) => id === sorting?.columnId)?.sortBy;
  if (!sortBy || !sorting) return rows;
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  return rows.toSorted((a, b) => sign * compare(sortBy(a), sortBy(b)));
}

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a).localeCompare(String(b), undefined, { numeric: true, sensitivity: 'base' });
}

interface TableProps<Row> {
  /** Must be unique on the page. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  /** True if the rows are loaded page by page, so that all of them are shown. */
  isPaged?: boolean;
  /** The initial sort order, or the current one if `onSortingChange` controls it. */
  sorting?: Sorting | undefined;
  onSortingChange?: (sorting: Sorting | undefined) => void;
  /** Expandable content below a row; undefined for rows without details. */
  details?: (row: Row) => { label: string; content: ReactNode } | undefined;
}

/** A semantic table. Below 48rem, wide columns are hidden instead of squeezed. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, columns, rowKey, isPaged = false, sorting, onSortingChange, details } = props;
  const [kept, setKept] = useEntryState(`${caption} sorting`, sorting);
  const shown = onSortingChange === undefined ? kept : sorting;
  const rows = sortRows(props.rows, columns, shown);
  const { shown: inSteps, listRef, more } = useSteps<Row, HTMLTableSectionElement>(caption, rows);
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b bg-sunken">
            {details && (
              <th scope="col" className="w-9">
                <span className="sr-only">Details</span>
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead
                key={column.id}
                column={column}
                sorting={shown}
                onSortingChange={onSortingChange ?? setKept}
              />
            ))}
          </tr>
        </thead>
        <tbody ref={listRef}>
          {(isPaged ? rows : inSteps).map((row) => (
            <TableRow
              key={rowKey(row)}
              name={`${caption} ${rowKey(row)}`}
              row={row}
              columns={columns}
              details={details}
            />
          ))}
        </tbody>
      </table>
      {!isPaged && more && <div className="border-line border-t">{more}</div>}
    </div>
  );
}

type TableRowProps<Row> = Pick<TableProps<Row>, 'columns' | 'details'> & { name: string; row: Row };

function TableRow<Row>({ name, row, columns, details }: TableRowProps<Row>) {
  const [isOpen, setIsOpen] = useEntryState(name, false);
  const id = useId();
  const more = details?.(row);
  return (
    <Fragment>
      <tr className="border-line border-b last:border-b-0 hover:bg-hover/50">
        {details && (
          <td className="w-9 pl-2 align-middle">
            {more && (
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={isOpen ? id : undefined}
                aria-label={more.label}
                onClick={() => setIsOpen(!isOpen)}
                className="flex size-7 items-center justify-center rounded-sm text-faint hover:bg-hover hover:text-ink"
              >
                <ChevronRight
                  aria-hidden
                  className={classNames('size-4 transition-transform duration-100', isOpen && 'rotate-90')}
                />
              </button>
            )}
          </td>
        )}
        {columns.map((column) => (
          <td
            key={column.id}
            className={classNames('px-3 py-2.5 align-middle first:pl-4 last:pr-3', cellClasses(column))}
          >
            {column.cell(row)}
          </td>
        ))}
      </tr>
      {more && isOpen && (
        <tr id={id} className="border-line border-b bg-sunken/60 last:border-b-0">
          <td colSpan={columns.length + 1} className="px-4 py-3 sm:pl-12">
            {more.content}
          </td>
        </tr>
      )}
    </Fragment>
  );
}

function cellClasses<Row>({ isNumeric, isWide }: Column<Row>): string {
  return classNames(
    isNumeric === true && 'tabular whitespace-nowrap text-right',
    isWide === true && 'hidden md:table-cell',
  );
}

interface ColumnHeadProps<Row> {
  column: Column<Row>;
  sorting: Sorting | undefined;
  onSortingChange: (sorting: Sorting | undefined) => void;
}

function ColumnHead<Row>({ column, sorting, onSortingChange }: ColumnHeadProps<Row>) {
  const direction = sorting?.columnId === column.id ? sorting.direction : undefined;
  return (
    <th
      scope="col"
      aria-sort={column.sortBy ? (direction ?? 'none') : undefined}
      className={classNames(
        'h-9 whitespace-nowrap px-3 font-medium text-soft text-xs first:pl-4 last:pr-3',
        cellClasses(column),
      )}
    >
      {column.sortBy ? (
        <button
          type="button"
          onClick={() => onSortingChange(nextSorting(sorting, column.id))}
          className={classNames(
            '-mx-1 inline-flex h-6 items-center gap-1 rounded-xs px-1 hover:text-ink',
            column.isNumeric === true && 'flex-row-reverse',
          )}
        >
          {column.label}
          <span aria-hidden className={direction ? 'text-lamp' : 'text-transparent'}>
            {direction === 'descending' ? '↓' : '↑'}
          </span>
        </button>
      ) : (
        <span className={column.isLabelHidden ? 'sr-only' : undefined}>{column.label}</span>
      )}
    </th>
  );
}
