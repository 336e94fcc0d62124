import type { Place } from '../document.ts';
/** Returns the URL fragment that addresses a page of a PDF. */
export function pageAnchor(page: number): string {
  return `page=${page}`;
}

/** Returns the lines of a block at which further pages start; the first line is 0. */
export function pagesWithin(lines: readonly Line[]): Place[] {
  return lines.flatMap(({ page }, line) =>
    line > 0 && page !== lines[line - 1]?.page ? [{ id: pageAnchor(page), line }] : [],
  );
}

/** Text in one font on one baseline. Lengths are in points from the upright page's left and top edges. */
export interface TextRun {
  text: string;
  x0: number;
  x1: number;
  /** Position of the baseline. */
  y: number;
  size: number;
  /** The font's name in the file. */
  font: string;
  isMono: boolean;
  isBold: boolean;
  /** The tagged heading that contains the run. */
  heading?: { depth: number };
  /** The tagged paragraph that contains the run; all its runs share the object. */
  paragraph?: object;
}

/** Runs on one baseline without a gap wider than a word space: a line of prose, or a table cell. */
export interface Cell {
  runs: TextRun[];
  x0: number;
  x1: number;
  y: number;
  size: number;
}

/** The cells on one baseline of one column. */
export interface Line {
  page: number;
  cells: Cell[];
  x0: number;
  x1: number;
  y: number;
  size: number;
  isMono: boolean;
  isBold: boolean;
  /** True for the first line of a page or column, where the distance to the previous line is meaningless. */
  isFirst: boolean;
  /** Rows of a tagged table: cells, each with its lines. */
  table?: Cell[][][];
}

export interface PageText {
  /** Starts at 1. */
  number: number;
  width: number;
  height: number;
  runs: TextRun[];
  /** Runs of tagged tables, by table, row and cell. `runs` does not include them. */
  tables?: TextRun[][][][];
}

export interface OutlineEntry {
  title: string;
  /** Starts at 1. */
  depth: number;
  page: number;
}

/** The text and metadata read from a PDF, before layout. */
export interface PdfText {
  title: string | undefined;
  language: string | undefined;
  /** Number of pages in the file; `pages` may be shorter. */
  pageCount: number;
  outline: OutlineEntry[];
  /** The lines of each readable page. */
  pages: Line[][];
  /** Page numbers of images without text. */
  pictures: number[];
}

/** Measures of running text: size in points, line spacing as a multiple of the size. */
export interface BodyMeasures {
  size: number;
  leading: number;
}

/** Returns the text of runs, with a space at gaps. */
export function textOfRuns(runs: readonly TextRun[]): string {
  let text = '';
  let end = Number.NaN;
  for (const run of runs) {
    if (run.x0 - end > run.size * 0.12 && !text.endsWith(' ') && !run.text.startsWith(' ')) text += ' ';
    text += run.text;
    end = run.x1;
  }
  return text.replace(/\s+/g, ' ').trim();
}

/** Returns the tagged paragraph that contains the line's start. */
export function paragraphOf({ cells }: Line): object | undefined {
  return cells[0]?.runs.find(({ text }) => text.trim() !== '')?.paragraph;
}

/** Returns true if the line's end and the next line's start suggest that a sentence continues. */
export function isMidSentence(line: Line, next: Line): boolean {
  return !/[.:!?)”"]$/.test(textOfLine(line)) && /^\p{Ll}/u.test(textOfLine(next));
}

/** Returns a line's text with two spaces between cells. */
export function textOfLine(line: Line): string {
  return line.cells.map((cell) => textOfRuns(cell.runs)).join('  ');
}

/** Returns the most common font size by characters, rounded to half a point. */
export function dominantSize(runs: Iterable<TextRun>): number {
  const counts = new Map<number, number>();
  for (const { text, size } of runs) {
    const rounded = Math.round(size * 2) / 2;
    counts.set(rounded, (counts.get(rounded) ?? 0) + text.length);
  }
  let best = 10;
  let most = 0;
  for (const [size, count] of counts) if (count > most) [best, most] = [size, count];
  return best;
}
