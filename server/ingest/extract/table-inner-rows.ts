import { headingDepth } from './block-elements.ts';
import { elementBefore, findElement, type HtmlElement, HtmlText, squashedText } from './html-tree.ts';
import { type GridRow, type TableGrid, tableGrid } from './table-grid.ts';

/**
 * Returns the rows with those of nested tables that share the first column and at least one other: JSDoc lists a
 * parameter's properties this way. The nested rows follow the row that contains them and get its name as a prefix:
 * `options.size`.
 */
export function withInnerRows(grid: TableGrid): TableGrid {
  const labels = labelsOf(grid);
  const [head, ...rows] = grid.rows;
  const inner = new Map(rows.flatMap((row) => innerTable(row, labels) ?? []));
  if (inner.size === 0 || !head) return grid;
  const heads = [...head.cells];
  for (const { grid: of } of inner.values())
    labelsOf(of).forEach((label, at) => {
      if (labels.includes(label)) return;
      labels.push(label);
      heads.push(of.rows[0]?.cells[at]);
    });
  const all = rows.flatMap((row) => [row, ...rowsFrom(inner.get(row), row, labels)]);
  return { ...grid, rows: [{ ...head, cells: heads }, ...all], columns: labels.length };
}

interface InnerTable {
  table: HtmlElement;
  grid: TableGrid;
}

function innerTable(row: GridRow, labels: readonly string[]): [GridRow, InnerTable][] | undefined {
  const table = labels.length > 1 ? findElement(row.element, ({ name }) => name === 'table') : undefined;
  if (!table) return undefined;
  const grid = withInnerRows(tableGrid(table));
  const [first, ...others] = labelsOf(grid);
  return first === labels[0] && others.some((label) => labels.includes(label)) ? [[row, { table, grid }]] : undefined;
}

function rowsFrom(inner: InnerTable | undefined, { cells: [name] }: GridRow, labels: readonly string[]): GridRow[] {
  if (!inner || !name) return [];
  const { table, grid } = inner;
  const title = elementBefore(table);
  takeOut(table);
  if (title && headingDepth(title) > 0) takeOut(title);
  const own = labelsOf(grid);
  const prefix = `${squashedText(name.element)}.`;
  return grid.rows.slice(1).map(({ element, cells }) => {
    const [first] = cells;
    if (first) prepend(first.element, prefix);
    return { element, cells: labels.map((label) => cells[own.indexOf(label)]) };
  });
}

/** Returns the column labels from a single header row; none otherwise. */
function labelsOf({ rows: [head], headerRows }: TableGrid): string[] {
  return headerRows === 1 && head ? head.cells.map((cell) => (cell ? squashedText(cell.element) : '')) : [];
}

function takeOut(element: HtmlElement): void {
  const { parent } = element;
  if (parent) parent.children = parent.children.filter((child) => child !== element);
}

/** Inserts the text before the first word, inside the element that contains that word. */
function prepend(cell: HtmlElement, text: string): void {
  const isFilled = (node: HtmlElement): boolean =>
    node.children.some((child) => child instanceof HtmlText && child.value.trim() !== '');
  const holder = isFilled(cell) ? cell : findElement(cell, isFilled);
  const first = holder?.children.find((child) => child instanceof HtmlText && child.value.trim() !== '');
  if (first instanceof HtmlText) first.value = text + first.value.trimStart();
}
