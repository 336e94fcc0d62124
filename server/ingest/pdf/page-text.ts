import type { Place } from '../document.ts';
/** Fragment that addresses a page of a PDF. */
export function pageAnchor(page: number): string {
  return `page=${page}`;
}

/** Where further pages begin among the lines of a block; the first is line 0. */
export function pagesWithin(lines: readonly Line[]): Place[] {
  return lines.flatMap(({ page }, line) =>
    line > 0 && page !== lines[line - 1]?.page ? [{ id: pageAnchor(page), line }] : [],
  );
}

/** Text in one font on one baseline. Lengths in points, from the left and the top of the page as it is read. */
export interface TextRun {
  text: string;
  x0: number;
  x1: number;
  /** Of the baseline. */
  y: number;
  size: number;
  /** What the file calls the font. */
  font: string;
  isMono: boolean;
  isBold: boolean;
  /** The tagged heading it is part of. */
  heading?: { depth: number };
  /** The tagged paragraph it is part of: the same object for all its runs. */
  paragraph?: object;
}

/** Runs of one baseline without a gap wider than a word space: a line of prose, or a cell of a table. */
export interface Cell {
  runs: TextRun[];
  x0: number;
  x1: number;
  y: number;
  size: number;
}

/** What stands on one baseline of one column. */
export interface Line {
  page: number;
  cells: Cell[];
  x0: number;
  x1: number;
  y: number;
  size: number;
  isMono: boolean;
  isBold: boolean;
  /** First of its page or column: the distance to the line before says nothing. */
  isFirst: boolean;
  /** Rows of a tagged table, each with its cells, and their lines. */
  table?: Cell[][][];
}

export interface PageText {
  /** From 1. */
  number: number;
  width: number;
  height: number;
  runs: TextRun[];
  /** Runs of tagged tables, by table, row and cell. They are not in `runs`. */
  tables?: TextRun[][][][];
}

/** An entry of the document's own table of contents. */
export interface OutlineEntry {
  title: string;
  /** From 1. */
  depth: number;
  page: number;
}

/** What a PDF says before anything is made of it. */
export interface PdfText {
  title: string | undefined;
  language: string | undefined;
  /** All pages of the file; `pages` may be fewer. */
  pageCount: number;
  outline: OutlineEntry[];
  /** The lines of each page that could be read. */
  pages: Line[][];
  /** Numbers of the pages that are images without text. */
  pictures: number[];
}

/** Measures of the running text: size in points, distance of baselines in sizes. */
export interface BodyMeasures {
  size: number;
  leading: number;
}

/** Text of runs as it reads: a space where a gap or the file has one. */
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

/** The tagged paragraph that a line begins in. */
export function paragraphOf({ cells }: Line): object | undefined {
  return cells[0]?.runs.find(({ text }) => text.trim() !== '')?.paragraph;
}

/** Returns true if a sentence goes on from one line to the next, as far as its end and the other's beginning say. */
export function isMidSentence(line: Line, next: Line): boolean {
  return !/[.:!?)”"]$/.test(textOfLine(line)) && /^\p{Ll}/u.test(textOfLine(next));
}

/** Text of a line, its cells with two spaces between them. */
export function textOfLine(line: Line): string {
  return line.cells.map((cell) => textOfRuns(cell.runs)).join('  ');
}

/** The size most characters have, rounded to half a point. */
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
