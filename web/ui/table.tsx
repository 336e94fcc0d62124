import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';

export type SortDirection = 'ascending' | 'descending';

export interface Column<Row> {
  id: string;
  label: string;
  /** No words above the column (the row's menu). */
  isLabelHidden?: boolean;
  /** Numbers stand at the right, in figures of equal width. */
  isNumeric?: boolean;
  /** Left out below 48rem, where the cell says it in another way. */
  isWide?: boolean;
  /** What to sort by; a column without it cannot be sorted. */
  sortBy?: (row: Row) => string | number;
  cell: (row: Row) => ReactNode;
}

export interface Sorting {
  columnId: string;
  direction: SortDirection;
}

/** Ascending, descending, none: what pressing a column's head leads to. */
export function nextSorting(sorting: Sorting | undefined, columnId: string): Sorting | undefined {
  if (sorting?.columnId !== columnId) return { columnId, direction: 'ascending' };
  return sorting.direction === 'ascending' ? { columnId, direction: 'descending' } : undefined;
}

/** Rows in the order asked for; equal rows keep theirs. */
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
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  rowKey: (row: Row) => string;
  sorting: Sorting | undefined;
  onSortingChange: (sorting: Sorting | undefined) => void;
}

/** A real table. Below 48rem the wide columns are left out rather than squeezed. */
export function Table<Row>({ caption, columns, rows, rowKey, sorting, onSortingChange }: TableProps<Row>) {
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-surface shadow-sm">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-line border-b bg-sunken">
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} sorting={sorting} onSortingChange={onSortingChange} />
            ))}
          </tr>
        </thead>
        <tbody>
          {sortRows(rows, columns, sorting).map((row) => (
            <tr key={rowKey(row)} className="border-line border-b last:border-b-0 hover:bg-hover/50">
              {columns.map((column) => (
                <td
                  key={column.id}
                  className={classNames('px-3 py-2.5 align-middle first:pl-4 last:pr-3', cellClasses(column))}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
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
      className={classNames('h-9 px-3 font-medium text-soft text-xs first:pl-4 last:pr-3', cellClasses(column))}
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
