import type { Place } from '../document.ts';
import { inlineOf } from './inline-text.ts';
import { type Cell, type Line, pagesWithin } from './page-text.ts';

const rowsMin = 3;
const rowsMax = 1_000;
const columnsMax = 20;
/** Maximum number of lines by which a cell may start above the rest of its row. */
const cellLinesMax = 12;

/** Returns the table that starts at this line and the number of lines it takes; undefined if there is none. */
export function tableAt(
  lines: readonly Line[],
  at: number,
  body: { leading: number },
  isOther: (index: number) => boolean,
): { markdown: string; places: Place[]; lines: number } | undefined {
  if ((lines[at] as Line).cells.length < 2) return undefined;
  const run = runAt(lines, at, body, isOther);
  if (run === undefined) return undefined;
  const { members, columns } = run;
  const { rows, starts } = rowsOf(members, columns, body);
  if (rows.length < 2) return undefined;
  // The delimiter line below the header is not a row.
  const places = pagesWithin(starts).map(({ id, line }) => ({ id, line: line + 1 }));
  return { markdown: tableMarkdown(rows.map((row) => row.map(cellText))), places, lines: members.length };
}

/**
 * Returns the cell texts of a tagged table, by row and column. Tags omit empty cells, so a cell's position determines
 * its column.
 */
export function cellsOfTable(table: readonly Cell[][][]): string[][] {
  const rows = table.map((row) => row.map((cells) => ({ cells, ...extentOf(cells) })));
  const columns = rows.reduce((found, cells) => mergedColumns(found, { cells, size: 0 }), [] as Column[]);
  const most = Math.max(...rows.map(({ length }) => length));
  return rows.map((row) => {
    const textIn = ({ x0, x1 }: Column) =>
      cellText(row.filter((cell) => cell.x0 >= x0 && cell.x1 <= x1).flatMap(({ cells }) => cells));
    // If columns overlap or a cell spans several, cells are assigned in order.
    if (columns.length < most) return Array.from({ length: most }, (_, at) => cellText(row[at]?.cells ?? []));
    return columns.map(textIn);
  });
}

/** Returns rows as a Markdown table, with the first as the header. */
export function tableMarkdown([header = [], ...rows]: readonly string[][]): string {
  return [header, header.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

function extentOf(cells: readonly Cell[]): Column {
  return { x0: Math.min(...cells.map(({ x0 }) => x0)), x1: Math.max(...cells.map(({ x1 }) => x1)) };
}

interface Column {
  x0: number;
  x1: number;
}

/** Returns consecutive lines that share the gaps between columns. */
function runAt(
  lines: readonly Line[],
  at: number,
  body: { leading: number },
  isOther: (index: number) => boolean,
): { members: Line[]; columns: Column[] } | undefined {
  const members: Line[] = [];
  let columns: Column[] = [];
  let whole = 0;
  let multi = 0;
  for (let index = at; index < lines.length && members.length < rowsMax; index += 1) {
    const line = lines[index] as Line;
    const before = members.at(-1);
    if (isOther(index) && index > at) break;
    if (before !== undefined && (line.isFirst || line.y - before.y > body.leading * line.size * 2.6)) break;
    const merged = mergedColumns(columns, line);
    if (merged.length < 2 || (columns.length > 0 && merged.length < Math.min(columns.length, 2))) break;
    const isApart = before !== undefined && line.cells.length === 1 && !isNear(line, before.y, body);
    if (isApart && !beginsRow(lines, index, columns, body)) break;
    columns = merged;
    members.push(line);
    if (line.cells.length >= 2) {
      multi += 1;
      whole = members.length;
    } else if (line.x0 >= (columns[1]?.x0 ?? 0) - 2) whole = members.length;
  }
  const kept = members.slice(0, whole);
  const isCode = kept.every((line) => line.isMono);
  if (multi < rowsMin || isCode || columns.length > columnsMax) return undefined;
  return { members: kept, columns: kept.reduce(mergedColumns, [] as Column[]) };
}

/** Returns true if a line is as close to the one above as lines of the same paragraph are. */
function isNear(line: Line, y: number, body: { leading: number }): boolean {
  return line.y - y < body.leading * line.size * 1.3;
}

/**
 * Returns true if the line starts a cell that is taller than its row's other cells, which are at the bottom or middle
 * of the row.
 */
function beginsRow(lines: readonly Line[], at: number, columns: readonly Column[], body: { leading: number }): boolean {
  const second = (columns[1]?.x0 ?? 0) - 2;
  let y = (lines[at] as Line).y;
  for (const line of lines.slice(at, at + cellLinesMax)) {
    if (line.isFirst || !isNear(line, y, body)) return false;
    if (line.x0 < second) return line.cells.length >= 2;
    y = line.y;
  }
  return false;
}

/** Returns columns extended by a line's cells; touching columns are merged. */
function mergedColumns(columns: readonly Column[], line: { cells: readonly Column[]; size: number }): Column[] {
  const gap = line.size * 0.5;
  const all = [...columns, ...line.cells.map(({ x0, x1 }) => ({ x0, x1 }))].toSorted((a, b) => a.x0 - b.x0);
  const merged: Column[] = [];
  for (const { x0, x1 } of all) {
    const last = merged.at(-1);
    if (last !== undefined && x0 < last.x1 + gap) last.x1 = Math.max(last.x1, x1);
    else merged.push({ x0, x1 });
  }
  return merged;
}

/**
 * Groups lines into rows. A line with an empty first column continues the row above, unless there is a gap: then it
 * starts the row below.
 */
function rowsOf(
  members: readonly Line[],
  columns: readonly Column[],
  body: { leading: number },
): { rows: Cell[][][]; starts: Line[] } {
  const rows: Cell[][][] = [];
  const starts: Line[] = [];
  let y = 0;
  let isOpen = false;
  for (const line of members) {
    const row = columns.map(({ x0, x1 }) => line.cells.filter((cell) => cell.x0 >= x0 - 1 && cell.x1 <= x1 + 1));
    const before = rows.at(-1);
    const isNamed = row[0]?.length !== 0;
    if (before !== undefined && isNear(line, y, body) && (isOpen || !isNamed)) {
      for (const [index, cells] of row.entries()) before[index]?.push(...cells);
      isOpen &&= !isNamed;
    } else {
      isOpen = before !== undefined && !isNamed && line.cells.length === 1;
      rows.push(row);
      starts.push(line);
    }
    y = line.y;
  }
  return { rows, starts };
}

function cellText(cells: readonly Cell[]): string {
  return cells
    .map((cell) => inlineOf(cell.runs))
    .join(' ')
    .replace(/(\p{Ll})[-\u2010\u00ad] (?=\p{Ll})/gu, '$1')
    .replace(/\|/g, '\\|')
    .trim();
}
