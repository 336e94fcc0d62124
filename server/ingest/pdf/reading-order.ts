import type { Cell, Line, PageText, TextRun } from './page-text.ts';
import { dominantSize } from './page-text.ts';

/** A wider gap, in font sizes, separates cells or columns; sentence spaces in justified text are narrower. */
const cellGapSizes = 1.3;
/** Baselines closer than this, in sizes of the smaller text, are one line. */
const sameLineSizes = 0.45;
/** The same for superscripts and subscripts, in sizes of the larger text. */
const scriptShiftSizes = 0.5;
const scriptSizeMax = 0.85;
const columnDepthMax = 3;

/** Returns a page's lines in reading order: column by column, with text that spans columns in between. */
export function linesInReadingOrder(page: PageText): Line[] {
  const tables = new Map((page.tables ?? []).map((rows) => [boxOf(rows.flat(2)), rows] as const));
  const cells = [...cellsOf(page.runs), ...tables.keys()];
  return orderOf(cells, 0)
    .flatMap((column) => linesOf(column, page.number))
    .flatMap((line) => {
      const beside = line.cells.filter((cell) => !tables.has(cell));
      if (beside.length === line.cells.length) return [line];
      // Text beside a table may share the baseline of its first row.
      const apart = line.cells.filter((cell) => tables.has(cell)).map((cell) => [cell]);
      return [beside, ...apart].flatMap((members) => {
        const table = tables.get(members[0] as Cell)?.map((row) => row.map(cellsOf));
        return linesOf(members, page.number).map((own) => ({ ...own, isFirst: line.isFirst, ...(table && { table }) }));
      });
    });
}

/** Returns a cell that represents a table in the reading order. */
function boxOf(runs: TextRun[]): Cell {
  return {
    runs,
    x0: Math.min(...runs.map(({ x0 }) => x0)),
    x1: Math.max(...runs.map(({ x1 }) => x1)),
    y: Math.min(...runs.map(({ y }) => y)),
    size: dominantSize(runs),
  };
}

function cellsOf(runs: readonly TextRun[]): Cell[] {
  return baselinesOf(runs).flatMap((baseline) => {
    const cells: Cell[] = [];
    let drawn: Pick<TextRun, 'text' | 'x0'> | undefined;
    for (const run of baseline.toSorted((a, b) => a.x0 - b.x0)) {
      const last = cells.at(-1);
      const before = last?.runs.at(-1);
      if (drawn !== undefined && isDrawnTwice(drawn, run)) continue;
      drawn = { text: run.text, x0: run.x0 };
      if (last !== undefined && run.x0 - last.x1 <= cellGapSizes * Math.max(run.size, last.size)) {
        if (before === undefined || !isTakenInto(before, run)) last.runs.push(run);
        last.x1 = Math.max(last.x1, run.x1);
        last.size = Math.max(last.size, run.size);
      } else cells.push({ runs: [run], x0: run.x0, x1: run.x1, y: run.y, size: run.size });
    }
    return cells.filter((cell) => cell.runs.some((run) => run.text.trim() !== ''));
  });
}

/** Appends a run to the previous one if both have the same style: a page has many text items, but a line needs few. */
function isTakenInto(before: TextRun, run: TextRun): boolean {
  const isAlike = before.font === run.font && before.size === run.size;
  const gap = run.x0 - before.x1;
  // Code is positioned by column, so only touching items are merged.
  if (!isAlike || before.y !== run.y || gap < -run.size * 0.3 || (run.isMono && gap > run.size * 0.1)) return false;
  const isSpaced = gap > run.size * 0.12 && !before.text.endsWith(' ') && !run.text.startsWith(' ');
  before.text += isSpaced ? ` ${run.text}` : run.text;
  before.x1 = Math.max(before.x1, run.x1);
  return true;
}

/** Returns true if the run repeats the previous text at almost the same position, which imitates bold or a shadow. */
function isDrawnTwice(before: Pick<TextRun, 'text' | 'x0'>, run: TextRun): boolean {
  return before.text === run.text && run.text.trim() !== '' && Math.abs(before.x0 - run.x0) < run.size * 0.1;
}

function baselinesOf<Placed extends { y: number; size: number }>(placed: readonly Placed[]): Placed[][] {
  const baselines: { y: number; size: number; members: Placed[] }[] = [];
  for (const one of placed.toSorted((a, b) => a.y - b.y)) {
    const last = baselines.at(-1);
    if (last !== undefined && isSameLine(one, last)) {
      last.members.push(one);
      // The largest text determines the line's baseline.
      if (one.size > last.size) Object.assign(last, { y: one.y, size: one.size });
    } else baselines.push({ y: one.y, size: one.size, members: [one] });
  }
  return baselines.map(({ members }) => members);
}

function isSameLine(one: { y: number; size: number }, other: { y: number; size: number }): boolean {
  const [small, large] = one.size < other.size ? [one.size, other.size] : [other.size, one.size];
  const shiftMax = small < large * scriptSizeMax ? scriptShiftSizes * large : sameLineSizes * small;
  return Math.abs(one.y - other.y) <= shiftMax;
}

/** Returns groups of cells in reading order; each is one column or a part that spans columns. */
function orderOf(cells: Cell[], depth: number): Cell[][] {
  const gutter = depth < columnDepthMax ? gutterOf(cells) : undefined;
  if (gutter === undefined) return [cells];
  const isAcross = (cell: Cell) => cell.x0 < gutter && cell.x1 > gutter;
  const parts: Cell[][] = [];
  let band: Cell[] = [];
  const endBand = () => {
    const left = band.filter((cell) => cell.x1 <= gutter);
    const right = band.filter((cell) => cell.x0 >= gutter);
    for (const side of [left, right]) if (side.length > 0) parts.push(...orderOf(side, depth + 1));
    band = [];
  };
  let spanning: Cell[] = [];
  for (const cell of cells.toSorted((a, b) => a.y - b.y)) {
    if (isAcross(cell)) {
      endBand();
      spanning.push(cell);
    } else {
      if (spanning.length > 0) parts.push(spanning);
      spanning = [];
      band.push(cell);
    }
  }
  if (spanning.length > 0) parts.push(spanning);
  endBand();
  return parts;
}

/** Returns the gutter between a left and a right column; undefined if the page has one column or a table. */
function gutterOf(cells: readonly Cell[]): number | undefined {
  if (cells.length < 12) return undefined;
  const left = Math.min(...cells.map((cell) => cell.x0));
  const right = Math.max(...cells.map((cell) => cell.x1));
  const step = 2;
  const bins = new Array<number>(Math.ceil((right - left) / step) + 1).fill(0);
  for (const { x0, x1 } of cells) {
    for (let bin = Math.floor((x0 - left) / step); bin <= (x1 - left) / step; bin += 1)
      bins[bin] = (bins[bin] ?? 0) + 1;
  }
  const crossingMax = Math.max(1, cells.length * 0.06);
  const widest = widestFreeRange(bins, crossingMax, [Math.floor(bins.length * 0.15), Math.ceil(bins.length * 0.85)]);
  const size = dominantSize(cells.flatMap((cell) => cell.runs));
  if (widest === undefined || (widest.to - widest.from) * step < size * 0.8) return undefined;
  const gutter = left + ((widest.from + widest.to) / 2) * step;
  return isColumned(cells, gutter) ? gutter : undefined;
}

function widestFreeRange(
  bins: readonly number[],
  crossingMax: number,
  [begin, end]: [number, number],
): { from: number; to: number } | undefined {
  let widest: { from: number; to: number } | undefined;
  let from = -1;
  for (let bin = begin; bin <= end; bin += 1) {
    const isFree = bin < end && (bins[bin] ?? 0) <= crossingMax;
    if (isFree && from < 0) from = bin;
    if (isFree || from < 0) continue;
    if (widest === undefined || bin - from > widest.to - widest.from) widest = { from, to: bin };
    from = -1;
  }
  return widest;
}

/**
 * Returns true if the cells are columns of text: table cells are short and share baselines with their neighbours, while
 * lines of text fill their column.
 */
function isColumned(cells: readonly Cell[], gutter: number): boolean {
  const sides = [cells.filter((cell) => cell.x1 <= gutter), cells.filter((cell) => cell.x0 >= gutter)] as const;
  const [left, right] = sides;
  const fewest = Math.min(left.length, right.length);
  if (fewest < 5 || fewest < cells.length * 0.15) return false;
  const ys = new Set(left.map((cell) => Math.round(cell.y)));
  const aligned = right.filter((cell) => ys.has(Math.round(cell.y))).length / right.length;
  const fills = sides.map(fillOf);
  const widths = sides.map((side) => widthOf(side));
  const balance = Math.min(...widths) / Math.max(...widths);
  if (aligned < 0.5) return Math.min(...fills) > 0.25;
  // A few such lines are a small table with two columns.
  return fewest >= 10 && Math.min(...fills) >= 0.6 && balance >= 0.6;
}

function widthOf(cells: readonly Cell[]): number {
  return Math.max(...cells.map((cell) => cell.x1)) - Math.min(...cells.map((cell) => cell.x0));
}

/** Returns the median line width as a share of the column. */
function fillOf(cells: readonly Cell[]): number {
  const widths = baselinesOf(cells)
    .map(widthOf)
    .toSorted((a, b) => a - b);
  return (widths[Math.floor(widths.length / 2)] ?? 0) / Math.max(1, widthOf(cells));
}

function linesOf(cells: readonly Cell[], page: number): Line[] {
  return baselinesOf(cells).map((members, index) => {
    const ordered = members.toSorted((a, b) => a.x0 - b.x0);
    const largest = ordered.reduce((best, cell) => (cell.size > best.size ? cell : best));
    const runs = ordered.flatMap((cell) => cell.runs).filter((run) => run.text.trim() !== '');
    return {
      page,
      cells: ordered,
      x0: Math.min(...ordered.map((cell) => cell.x0)),
      x1: Math.max(...ordered.map((cell) => cell.x1)),
      y: largest.y,
      size: dominantSize(runs),
      isMono: isCode(runs),
      isBold: runs.every((run) => run.isBold),
      isFirst: index === 0,
    };
  });
}

/**
 * Returns true for code, which may include punctuation in text font, such as a signature's commas; words in text font
 * make it a sentence.
 */
export function isCode(runs: readonly TextRun[]): boolean {
  if (runs[0]?.isMono !== true) return false;
  let mono = 0;
  let all = 0;
  for (const { text, isMono } of runs) {
    if (!isMono && /\p{L}{3}/u.test(text)) return false;
    all += text.length;
    if (isMono) mono += text.length;
  }
  return mono >= all * 0.6;
}
