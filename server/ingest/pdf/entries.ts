import { isListItem } from './lists.ts';
import { type BodyMeasures, type Cell, type Line, type TextRun, textOfLine, textOfRuns } from './page-text.ts';

/** An entry in a list of options, functions or terms: its name, and the indented text below it. */
export interface Entry {
  /** Its names, such as the forms of a call. */
  names: TextRun[][];
  /** Number of lines that the names take. */
  lines: number;
  /** The rest of the last name line, if text continues there. */
  rest: Line | undefined;
  /** Index of the first line after the entry. */
  end: number;
}

const namesMax = 12;
const nameCharsMax = 160;
/** Indentation of an entry's text relative to its name, in font sizes. */
const [indentMin, indentMax] = [0.8, 12];
/** A style of names that occurs less often than this in a document is a coincidence. */
const sameShapeMin = 3;

/**
 * Returns a document's entries by the index of their first line. An entry is a name in a different font with text
 * further to the right, on the same line or below. `isOther` marks lines that belong to other blocks.
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
  /** The font of running text. */
  prose: string;
  isOther: (index: number) => boolean;
}

/** Returns the style of the name that starts a line: its font, size and indentation. */
function shapeOf({ lines, places }: Page, at: number): string {
  const { font = '', size = 0 } = runsOf(lines[at] as Line)[0] ?? {};
  return `${font} ${size.toFixed(1)} ${Math.round((places[at] as Place).indent / 2)}`;
}

/** Returns the entry that starts at this line and continues below it. */
function entryAt(page: Page, at: number): Entry | undefined {
  const { lines, places, prose } = page;
  const line = lines[at] as Line;
  const names = namesAt(page, at);
  if (names[0]?.runs[0]?.font === prose) return undefined;
  const from = at + names.reduce((sum, name) => sum + name.lines, 0);
  const next = lines[from];
  if (next === undefined || !isBelow(page, from, (line.isMono || line.isBold) && from === at + 1 ? 2 : 1.5))
    return undefined;
  if (next.isMono && line.isMono && from === at + 1) return withUsage(page, at, names);
  if (next.isMono || next.cells.length > 1) return undefined;
  // In examples, a call's result is printed below it after an arrow.
  if (line.cells.length > 2 || isListItem(line) || isListItem(next) || /^\p{Sm}/u.test(textOfLine(next)))
    return undefined;
  const indent = (places[from] as Place).indent - (places[at] as Place).indent;
  if (indent < line.size * indentMin || indent > line.size * indentMax) return undefined;
  const font = mainFont(runsOf(next).filter((run) => !run.isMono));
  if (font === '' || names.some(({ runs }) => runs[0]?.font === font)) return undefined;
  const isFull = isFullLine(lines[from - 1] as Line, next, (places[at] as Place).right);
  const cuts = names.map(({ runs, lines: count }, index) => {
    if (count > 1) return -1;
    // A line of code that is not full ends on purpose, so all of it is the name, such as a signature with its
    // arguments.
    const isName = runs[0]?.isMono === true && !(isFull && index === names.length - 1);
    return textAt(runs, font, isName ? next.x0 : undefined);
  });
  const used = cuts.findIndex((cut) => cut >= 0) + 1 || names.length;
  return entryOf(page, at, names.slice(0, used), cuts[used - 1] as number, next.x0);
}

/** Returns the entry of a command's name with its usage below it, as in Texinfo's manuals. */
function withUsage(page: Page, at: number, names: readonly Name[]): Entry | undefined {
  const { lines, places } = page;
  const [name, usage] = [lines[at] as Line, lines[at + 1] as Line];
  const indent = (places[at + 1] as Place).indent - (places[at] as Place).indent;
  const isUsage = textOfLine(usage).trim().split(/\s/, 1)[0] === textOfLine(name).trim();
  return isUsage && indent >= name.size * indentMin ? entryOf(page, at, names, -1, usage.x0) : undefined;
}

interface Name {
  runs: TextRun[];
  lines: number;
}

/**
 * Returns the names from this line on with the same indentation; a signature continues until its brackets are closed.
 */
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

/**
 * Creates the entry for these names. Text that starts at the last name's run `from` becomes the first line of the
 * entry's text.
 */
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
  // This is a paragraph whose first line is indented less than the others.
  if (isFirstLine && runsOf(lines[end] as Line)[0]?.font !== last[0]?.font) return undefined;
  if (cut < 0) return { names, lines: count, rest: undefined, end };
  const cell = { ...(above.cells[0] as Cell), runs: last.slice(cut), x0 };
  return { names, lines: count, rest: { ...above, cells: [cell], x0, isBold: false, isMono: false }, end };
}

/** Excludes list markers and prompts. */
const nameStart = /^(?![>?%$#] )[^\s\p{Cc}\p{Co}\p{Pd}•●◦▪▫■□‣⁃∙·∗*].*[\p{L}\p{N}]|^-{1,2}[\p{L}\p{N}]|^\p{L}$/u;

/** Adds entries that consist of one line and stand next to others of the same style. */
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

/** Returns the index of the run where text in this font starts, optionally at position `x`; -1 if there is none. */
function textAt(runs: readonly TextRun[], font: string, x?: number): number {
  return runs.findIndex((run, at) => {
    if (run.font !== font || x === undefined) return run.font === font;
    return Math.abs(run.x0 - x) < 2 && run.x0 - (runs[at - 1]?.x1 ?? 0) > run.size * 0.7;
  });
}

/** Returns true if the next line's first word did not fit on this line. */
function isFullLine(line: Line, next: Line, right: number): boolean {
  const word = /^\s*\S*/.exec(textOfLine(next))?.[0] ?? '';
  return line.x1 + (word.length + 1) * line.size * 0.5 > right;
}

/** Returns a name's runs without the kind that Texinfo adds at the end of the line: `[Function]`. */
function nameRuns(line: Line): TextRun[] {
  return runsOf(endsWithKind(line) ? { ...line, cells: line.cells.slice(0, -1) } : line);
}

/** Returns true if the line ends with a kind in brackets, such as Texinfo's `[Function]` at the right margin. */
export function endsWithKind({ cells }: Line): boolean {
  const last = cells.length > 1 ? cells.at(-1) : undefined;
  return last !== undefined && /^\[\p{Lu}[\p{L} ]*\]$/u.test(textOfRuns(last.runs));
}

const runsOf = (line: Line): TextRun[] =>
  line.cells.flatMap((cell) => cell.runs).filter((run) => run.text.trim() !== '');

function proseFont(lines: readonly Line[]): string {
  return mainFont(lines.filter((line) => !line.isMono).flatMap(runsOf));
}

/** Returns the font with the most characters. */
function mainFont(runs: readonly TextRun[]): string {
  const counts = new Map<string, number>();
  for (const { font, text } of runs) counts.set(font, (counts.get(font) ?? 0) + text.length);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? '';
}

/** Returns true if the line is below the previous one, at most this many paragraph line distances away. */
function isBelow({ lines, body }: Page, at: number, distances = 1.5): boolean {
  const [before, line] = [lines[at - 1], lines[at]];
  if (before === undefined || line === undefined || line.isFirst || line.page !== before.page) return false;
  const distance = line.y - before.y;
  return distance > 0 && distance < body.leading * before.size * distances;
}

/** A line's position in its column, in points. */
interface Place {
  /** Distance from the margin to the line's start. */
  indent: number;
  /** Right end of the column's full lines. */
  right: number;
}

/** Share of lines that may extend beyond the column. */
const overlongShare = 0.1;
/**
 * Maximum distance from the margin to a column's leftmost text, in points: the text of an entry nested three levels
 * deep.
 */
const marginShiftMax = 72;

/**
 * Determines margins from where most columns start: a page may contain only the indented text of one entry, and left
 * and right pages have different margins.
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
