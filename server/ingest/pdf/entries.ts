import { isListItem } from './lists.ts';
import { type BodyMeasures, type Cell, type Line, type TextRun, textOfLine, textOfRuns } from './page-text.ts';

/** An entry of a list of options, functions or terms: its name, and what stands indented below it. */
export interface Entry {
  /** Its names, such as the forms of a call. */
  names: TextRun[][];
  /** How many lines they take. */
  lines: number;
  /** The rest of the last of these lines, if text goes on there. */
  rest: Line | undefined;
  /** Index of the first line that is no longer part of the entry. */
  end: number;
}

const namesMax = 12;
const nameCharsMax = 160;
/** How much further right than its name the text of an entry begins, in sizes. */
const [indentMin, indentMax] = [0.8, 12];
/** A way to set names that a document uses less often is chance. */
const sameShapeMin = 3;

/**
 * The entries of a document, by the index of their first line: a name in a font of its own, and text to the right of where the
 * name begins, on its line and below it or only below it. `isOther` marks lines that are something else.
 */
export function findEntries(
  lines: readonly Line[],
  body: BodyMeasures,
  isOther: (index: number) => boolean,
): Map<number, Entry> {
  const page: Page = { lines, body, places: placesOf(lines), prose: proseFont(lines), isOther };
  const shapes = new Map<string, Map<number, Entry>>();
  for (let at = 0; at < lines.length; at += 1) {
    const entry = isOther(at) || lines[at]?.table !== undefined ? undefined : entryAt(page, at);
    if (entry === undefined) continue;
    const shape = shapeOf(page, at);
    shapes.set(shape, (shapes.get(shape) ?? new Map()).set(at, entry));
    at += entry.lines - 1;
  }
  const usual = [...shapes].filter(([, entries]) => entries.size >= sameShapeMin);
  const found = new Map(usual.flatMap(([, entries]) => [...entries]));
  addShortEntries(page, new Set(usual.map(([shape]) => shape)), found);
  return found;
}

interface Page {
  lines: readonly Line[];
  body: BodyMeasures;
  places: readonly Place[];
  /** The font of the text. */
  prose: string;
  isOther: (index: number) => boolean;
}

/** How the name that begins a line is set: its font, its size and its indentation. */
function shapeOf({ lines, places }: Page, at: number): string {
  const { font = '', size = 0 } = runsOf(lines[at] as Line)[0] ?? {};
  return `${font} ${size.toFixed(1)} ${Math.round((places[at] as Place).indent / 2)}`;
}

/** The entry that begins at this line and goes on below it. */
function entryAt(page: Page, at: number): Entry | undefined {
  const { lines, places, prose } = page;
  const line = lines[at] as Line;
  const names = namesAt(page, at);
  if (names[0]?.runs[0]?.font === prose) return undefined;
  const from = at + names.reduce((sum, name) => sum + name.lines, 0);
  const next = lines[from];
  if (
    next === undefined ||
    !isBelow(page, from, (line.isMono || line.isBold) && from === at + 1 ? 2 : 1.5) ||
    next.isMono ||
    next.cells.length > 1
  )
    return undefined;
  // What a call of an example returns stands below it behind an arrow.
  if (line.cells.length > 2 || isListItem(line) || isListItem(next) || /^\p{Sm}/u.test(textOfLine(next)))
    return undefined;
  const indent = (places[from] as Place).indent - (places[at] as Place).indent;
  if (indent < line.size * indentMin || indent > line.size * indentMax) return undefined;
  const font = mainFont(runsOf(next).filter((run) => !run.isMono));
  if (font === '' || names.some(({ runs }) => runs[0]?.font === font)) return undefined;
  const isFull = isFullLine(lines[from - 1] as Line, next, (places[at] as Place).right);
  const cuts = names.map(({ runs, lines: count }, index) => {
    if (count > 1) return -1;
    // A line of code that is not full ends there on purpose: all of it is the name, such as a signature with its arguments.
    const isName = runs[0]?.isMono === true && !(isFull && index === names.length - 1);
    return textAt(runs, font, isName ? next.x0 : undefined);
  });
  const used = cuts.findIndex((cut) => cut >= 0) + 1 || names.length;
  return entryOf(page, at, names.slice(0, used), cuts[used - 1] as number, next.x0);
}

interface Name {
  runs: TextRun[];
  lines: number;
}

/** The lines from here on that begin at one place; a signature goes on until its brackets are closed. */
function namesAt(page: Page, at: number): Name[] {
  const { lines, places } = page;
  const indentAt = (index: number) => (places[index] as Place).indent;
  const names = [{ runs: nameRuns(lines[at] as Line), lines: 1 }];
  for (let index = at + 1; index < at + namesMax && isBelow(page, index); index += 1) {
    const runs = nameRuns(lines[index] as Line);
    const last = names.at(-1) as Name;
    if (isUnclosed(last.runs))
      names.splice(-1, 1, { runs: [...last.runs, ...runs.map(spaced)], lines: last.lines + 1 });
    else if (indentAt(index) === indentAt(at)) names.push({ runs, lines: 1 });
    else break;
  }
  return names;
}

const spaced = (run: TextRun, at: number): TextRun => (at === 0 ? { ...run, text: ` ${run.text}` } : run);

function isUnclosed(runs: readonly TextRun[]): boolean {
  const text = textOfRuns(runs);
  return runs[0]?.isMono === true && text.split('(').length > text.split(')').length;
}

/** The entry of these names; from the run `from` of the last one on stands text, which is put below the others of the entry. */
function entryOf(page: Page, at: number, found: readonly Name[], from: number, x0: number): Entry | undefined {
  const { lines, places, isOther } = page;
  const count = found.reduce((sum, name) => sum + name.lines, 0);
  const above = lines[at + count - 1] as Line;
  const last = (found.at(-1) as Name).runs;
  const names = found.map(({ runs }) => runs);
  const cut = isUnclosed(last.slice(0, Math.max(from, 0))) ? -1 : from;
  if (cut >= 0) names.splice(-1, 1, last.slice(0, cut));
  const text = textOfRuns(names.flat());
  if (names.some((runs) => runs.length === 0) || !nameStart.test(text) || text.length > nameCharsMax * names.length) {
    return undefined;
  }
  if (/[.:]$/.test(text)) return undefined;
  let end = at + count;
  const left = (places[at] as Place).indent + above.size * indentMin;
  while (end < lines.length && (places[end] as Place).indent >= left && !isOther(end)) end += 1;
  if (cut < 0 && end === at + count) return undefined;
  const isFirstLine = end === at + count + 1 && isBelow(page, end, 1.12);
  // The first line of a paragraph stands to the right of the others.
  if (isFirstLine && runsOf(lines[end] as Line)[0]?.font !== last[0]?.font) return undefined;
  if (cut < 0) return { names, lines: count, rest: undefined, end };
  const cell = { ...(above.cells[0] as Cell), runs: last.slice(cut), x0 };
  return { names, lines: count, rest: { ...above, cells: [cell], x0, isBold: false, isMono: false }, end };
}

/** Neither the sign of a list nor a prompt. */
const nameStart = /^(?![>?%$#] )[^\s\p{Cc}\p{Co}\p{Pd}•●◦▪▫■□‣⁃∙·∗*].*[\p{L}\p{N}]|^-{1,2}[\p{L}\p{N}]|^\p{L}$/u;

/** Adds entries that end on the line of their name, beside others that are set alike. */
function addShortEntries(page: Page, shapes: ReadonlySet<string>, found: Map<number, Entry>): void {
  if (shapes.size === 0) return;
  const isApart = (at: number) => !isBelow(page, at, 1.12) || found.has(at);
  let end = -1;
  for (let at = 0; at < page.lines.length; at += 1) {
    end = found.get(at)?.end ?? end;
    const group: Entry[] = [];
    for (let index = at; index === at || !isApart(index); index += 1) {
      const entry = found.has(index) || !shapes.has(shapeOf(page, index)) ? undefined : shortEntryAt(page, index);
      if (entry === undefined) break;
      group.push(entry);
    }
    if (group.length === 0) continue;
    if ((end === at || isApart(at)) && isApart(at + group.length)) {
      for (const [index, entry] of group.entries()) found.set(at + index, entry);
      end = at + group.length;
    }
    at += group.length - 1;
  }
}

function shortEntryAt(page: Page, at: number): Entry | undefined {
  const { lines, body, prose, isOther } = page;
  const line = lines[at] as Line;
  const runs = runsOf(line);
  const [first] = runs;
  if (first === undefined || first.font === prose || first.isMono || line.isBold || line.isMono) return undefined;
  if (isOther(at) || line.table !== undefined || isListItem(line)) return undefined;
  const cut = textAt(runs, mainFont(runs.filter((run) => run.font !== first.font)));
  const entry = entryOf(page, at, [{ runs, lines: 1 }], cut, first.x0 + body.size * 2);
  return entry && { ...entry, end: at + 1 };
}

/** Where text in this font begins among the runs of a line, at this place where one is given; -1 when it does not. */
function textAt(runs: readonly TextRun[], font: string, x?: number): number {
  return runs.findIndex((run, at) => {
    if (run.font !== font || x === undefined) return run.font === font;
    return Math.abs(run.x0 - x) < 2 && run.x0 - (runs[at - 1]?.x1 ?? 0) > run.size * 0.7;
  });
}

/** Returns true if the first word of the next line had no room any more. */
function isFullLine(line: Line, next: Line, right: number): boolean {
  const word = /^\s*\S*/.exec(textOfLine(next))?.[0] ?? '';
  return line.x1 + (word.length + 1) * line.size * 0.5 > right;
}

/** The runs of a name, without the kind that Texinfo sets at the end of its line: `[Function]`. */
function nameRuns(line: Line): TextRun[] {
  return runsOf(endsWithKind(line) ? { ...line, cells: line.cells.slice(0, -1) } : line);
}

/** Returns true if the line ends with the kind of what it names, at the right margin. */
export function endsWithKind({ cells }: Line): boolean {
  const last = cells.length > 1 ? cells.at(-1) : undefined;
  return last !== undefined && /^\[\p{Lu}[\p{L} ]*\]$/u.test(textOfRuns(last.runs));
}

const runsOf = (line: Line): TextRun[] =>
  line.cells.flatMap((cell) => cell.runs).filter((run) => run.text.trim() !== '');

function proseFont(lines: readonly Line[]): string {
  return mainFont(lines.filter((line) => !line.isMono).flatMap(runsOf));
}

/** The font of most characters. */
function mainFont(runs: readonly TextRun[]): string {
  const counts = new Map<string, number>();
  for (const { font, text } of runs) counts.set(font, (counts.get(font) ?? 0) + text.length);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** Returns true if the line stands below the one before it, by no more than these distances of lines of a paragraph. */
function isBelow({ lines, body }: Page, at: number, distances = 1.5): boolean {
  const [before, line] = [lines[at - 1], lines[at]];
  if (before === undefined || line === undefined || line.isFirst || line.page !== before.page) return false;
  const distance = line.y - before.y;
  return distance > 0 && distance < body.leading * before.size * distances;
}

/** Where a line stands in its column, in points. */
interface Place {
  /** How far right of the margin it begins. */
  indent: number;
  /** Where full lines of the column end. */
  right: number;
}

/** A line or two may be longer than the column. */
const overlongShare = 0.1;
/** How far right of the margin a column may begin, in points: the text of an entry in an entry in an entry. */
const marginShiftMax = 72;

/**
 * The margin of a column is where columns begin at most: a page may hold nothing but the indented text of one entry, and the margins
 * of left and right pages differ.
 */
function placesOf(lines: readonly Line[]): Place[] {
  const starts = lines.flatMap((line, at) => (at === 0 || line.isFirst ? [at] : []));
  const columns = starts.map((start, index) => {
    const members = lines.slice(start, starts[index + 1]);
    return { members, side: (members[0] as Line).page % 2, left: Math.round(Math.min(...members.map(({ x0 }) => x0))) };
  });
  const counts = new Map<string, number>();
  for (const { side, left } of columns) counts.set(`${side} ${left}`, (counts.get(`${side} ${left}`) ?? 0) + 1);
  const countOf = (side: number, left: number) => counts.get(`${side} ${left}`) ?? 0;
  return columns.flatMap(({ members, side, left }) => {
    let margin = left;
    for (let x = left - 1; x > left - marginShiftMax; x -= 1) if (countOf(side, x) > countOf(side, margin)) margin = x;
    const ends = members.map(({ x1 }) => x1).toSorted((a, b) => b - a);
    const right = ends[Math.floor(ends.length * overlongShare)] as number;
    return members.map((line) => ({ indent: Math.round(line.x0 - margin), right }));
  });
}
