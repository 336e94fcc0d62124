import { childElements, type HtmlElement } from './html-tree.ts';

/** A table with its spans resolved: each place refers to the cell that covers it. */
export interface TableGrid {
  rows: GridRow[];
  columns: number;
  /** Number of header rows at the top. */
  headerRows: number;
}

export interface GridRow {
  element: HtmlElement;
  cells: (GridCell | undefined)[];
}

export interface GridCell {
  element: HtmlElement;
  /** True in the first column that the cell covers. */
  isStart: boolean;
  /** True if a `rowspan` from above covers this place, so that its value applies to this row too. */
  isFromAbove: boolean;
}

// Larger spans come from broken or hostile pages; the standard stops at 1000 columns.
const COLUMNS_MAX = 64;
const CELLS_MAX = 200_000;

/** Returns a table's rows and cells, excluding nested tables. */
export function tableGrid(table: HtmlElement): TableGrid {
  const { rows, theadRows } = rowsOf(table);
  const grid: GridRow[] = [];
  let columns = 0;
  let cells = 0;
  // For each column, the cell that spans into later rows and how many more rows it covers.
  const reaching: ({ cell: GridCell; left: number } | undefined)[] = [];
  for (const element of rows) {
    const row: GridRow = { element, cells: [] };
    let column = 0;
    for (const cell of childElements(element)) {
      if (cell.name !== 'td' && cell.name !== 'th') continue;
      column = fillFromAbove(row, column, reaching);
      const width = Math.min(span(cell, 'colspan'), COLUMNS_MAX - column);
      const height = span(cell, 'rowspan');
      for (let i = 0; i < width; i++) {
        const place: GridCell = { element: cell, isStart: i === 0, isFromAbove: false };
        row.cells[column] = place;
        if (height > 1)
          reaching[column] = { cell: { element: cell, isStart: i === 0, isFromAbove: true }, left: height - 1 };
        column++;
      }
      if (column >= COLUMNS_MAX) break;
    }
    fillRest(row, column, reaching);
    columns = Math.max(columns, row.cells.length);
    cells += row.cells.length;
    grid.push(row);
    if (cells > CELLS_MAX) break;
  }
  return { rows: grid, columns, headerRows: headerRowCount(grid, theadRows) };
}

function fillFromAbove(row: GridRow, from: number, reaching: ({ cell: GridCell; left: number } | undefined)[]): number {
  let column = from;
  for (let above = reaching[column]; above && above.left > 0; above = reaching[column]) {
    row.cells[column] = above.cell;
    above.left--;
    column++;
  }
  return column;
}

function fillRest(row: GridRow, from: number, reaching: ({ cell: GridCell; left: number } | undefined)[]): void {
  for (let column = from; column < reaching.length; column++) {
    const above = reaching[column];
    if (!above || above.left <= 0 || row.cells[column]) continue;
    row.cells[column] = above.cell;
    above.left--;
  }
}

function span(cell: HtmlElement, attribute: string): number {
  const value = cell.attributes.length === 0 ? undefined : cell.attribute(attribute);
  if (value === undefined) return 1;
  const count = Number.parseInt(value, 10);
  if (count === 0 && attribute === 'rowspan') return CELLS_MAX;
  return count >= 1 ? Math.min(count, CELLS_MAX) : 1;
}

function rowsOf(table: HtmlElement): { rows: HtmlElement[]; theadRows: number } {
  const heads: HtmlElement[] = [];
  const bodies: HtmlElement[] = [];
  const feet: HtmlElement[] = [];
  for (const part of childElements(table)) {
    const rows = part.name === 'thead' ? heads : part.name === 'tfoot' ? feet : bodies;
    if (part.name === 'tr') rows.push(part);
    else if (/^t(?:head|body|foot)$/.test(part.name)) for (const row of tableRows(part)) rows.push(row);
  }
  return { rows: [...heads, ...bodies, ...feet], theadRows: heads.length };
}

function tableRows(group: HtmlElement): HtmlElement[] {
  return childElements(group).filter(({ name }) => name === 'tr');
}

const HEADER_ROWS_MAX = 4;

function headerRowCount(rows: readonly GridRow[], theadRows: number): number {
  if (theadRows > 0) return Math.min(theadRows, HEADER_ROWS_MAX, rows.length);
  const first = rows[0];
  if (!first || first.cells.length === 0 || rows.length < 2) return 0;
  return isHeaderRow(first) && !rows.slice(1).every(isAllHead) ? 1 : 0;
}

/** Returns true for a row of header cells only. If all rows are like that, they are labels and none is a header. */
function isAllHead(row: GridRow): boolean {
  return row.cells.every((cell) => cell?.element.name === 'th');
}

function isHeaderRow(row: GridRow): boolean {
  const cells = row.cells.filter((cell) => cell?.isStart);
  if (cells.length === 0) return false;
  if (row.element.classes.some((name) => /^(header|head|heading|tableheader|rowheader)s?$/i.test(name))) return true;
  return (
    cells.every((cell) => cell!.element.name === 'th' || cell!.element.textLength === 0 || isBold(cell!.element)) &&
    cells.some((cell) => cell!.element.textLength > 0)
  );
}

/** Returns true for bold cells, which old pages use as headers. */
function isBold(cell: HtmlElement): boolean {
  if (cell.classes.some((name) => /^(header|head|colhead|tablehead)$/i.test(name))) return true;
  let node = cell;
  for (let level = 0; level < 3; level++) {
    const children = childElements(node).filter((child) => child.textLength > 0);
    if (children.length !== 1 || children[0]!.textLength < cell.textLength) return false;
    node = children[0]!;
    if (node.name === 'b' || node.name === 'strong') return true;
  }
  return false;
}
