import { type Line, type OutlineEntry, textOfLine, textOfRuns } from './page-text.ts';

/** Text larger than body text by this factor is a heading. */
const largerRatio = 1.15;
const headingLinesMax = 3;
const headingCharsMax = 200;
const boldHeadingCharsMax = 90;
/** Captions look like headings. */
const caption = /^(?:figure|fig\.|table|listing|abbildung|tabelle|tableau)\s+\d/i;

export interface HeadingMark {
  depth: number;
  /** Number of lines in the heading, including this one. */
  lines: number;
  /** True if only its weight suggests a heading. */
  isBoldOnly?: true;
}

/**
 * Returns the heading lines by index: first those in the document's outline and tags, then lines larger than the text,
 * then separate bold lines.
 */
export function findHeadings(
  lines: readonly Line[],
  outline: readonly OutlineEntry[],
  body: { size: number; leading: number },
): Map<number, HeadingMark> {
  const marks = headingsOfOutline(lines, outline);
  addTagged(lines, marks);
  const taken = new Set(
    [...marks].flatMap(([at, { lines: count }]) => Array.from({ length: count }, (_, i) => at + i)),
  );
  const candidates = candidatesOf(lines, body, taken);
  const depthOf = depthsBySize(lines, marks, candidates);
  const isLabel = repeatedLabels(lines, candidates);
  for (const { at, count, isBoldOnly } of candidates) {
    const size = sizeKey(lines[at] as Line);
    marks.set(at, {
      depth: Math.min(6, depthOf(size, isBoldOnly)),
      lines: count,
      ...(isBoldOnly && !numberedTitle.test(textOfLine(lines[at] as Line)) && !isLabel(at) && { isBoldOnly }),
    });
  }
  return marks;
}

function addTagged(lines: readonly Line[], marks: Map<number, HeadingMark>): void {
  const tagOf = (at: number) => lines[at]?.cells[0]?.runs[0]?.heading;
  for (let at = 0; at < lines.length; at += 1) {
    const heading = tagOf(at);
    if (heading === undefined) continue;
    let count = 1;
    while (tagOf(at + count) === heading) count += 1;
    const isMarked = Array.from({ length: count }, (_, index) => marks.has(at + index)).includes(true);
    if (!isMarked) marks.set(at, { depth: heading.depth, lines: count });
    at += count - 1;
  }
}

function headingsOfOutline(lines: readonly Line[], outline: readonly OutlineEntry[]): Map<number, HeadingMark> {
  const firstOfPage = new Map<number, number>();
  for (const [index, line] of lines.entries()) if (!firstOfPage.has(line.page)) firstOfPage.set(line.page, index);
  const marks = new Map<number, HeadingMark>();
  for (const { title, depth, page } of outline) {
    const wanted = lettersOf(title);
    const from = firstOfPage.get(page) ?? firstOfPage.get(page + 1);
    if (wanted === '' || from === undefined) continue;
    let to = from;
    while (to < lines.length && (lines[to] as Line).page <= page + 1) to += 1;
    const places = Array.from({ length: to - from }, (_, index) => from + index).filter((at) => !marks.has(at));
    const whole = places.find((at) => matchingLines(lines, at, wanted) > 0);
    const at = whole ?? places.find((place) => isNameOf(lines[place] as Line, wanted));
    if (at === undefined) continue;
    marks.set(at, { depth: Math.min(6, depth), lines: Math.max(1, matchingLines(lines, at, wanted)) });
  }
  return marks;
}

/** Returns true if the outline's title is a name that the same line explains after a gap. */
function isNameOf({ cells: [name, about, ...more] }: Line, wanted: string): boolean {
  if (name === undefined || about === undefined || more.length > 0) return false;
  return lettersOf(textOfRuns(name.runs)) === wanted && /\p{L}{2}/u.test(textOfRuns(about.runs));
}

/**
 * Returns the number of lines that make up the title, possibly with a section number before it; 0 if they do not match.
 */
function matchingLines(lines: readonly Line[], at: number, wanted: string): number {
  let said = '';
  for (let count = 1; count <= headingLinesMax; count += 1) {
    const line = lines[at + count - 1];
    if (line === undefined || said.length > wanted.length + 20) return 0;
    said += lettersOf(textOfLine(line));
    // A closing bracket of the code above.
    if (said === '') return 0;
    if (said === wanted) return count;
    const number = said.endsWith(wanted) ? said.slice(0, said.length - wanted.length) : undefined;
    if (number !== undefined && /^(?:chapter|appendix|part|kapitel|chapitre)?[a-z]?\d{0,6}$/.test(number)) return count;
    const isNumber = !line.isMono && /^(?:chapter|appendix|part)?[a-z]?\d{1,6}$/.test(said);
    if (!wanted.startsWith(said) && !isNumber) return 0;
  }
  return 0;
}

const labelRepeatsMin = 5;

/** Finds bold words at the page margin that repeat in many sections, such as "Arguments". */
function repeatedLabels(lines: readonly Line[], candidates: readonly Candidate[]): (at: number) => boolean {
  const margins = new Map<number, number>();
  for (const { page, x0 } of lines) margins.set(page, Math.min(margins.get(page) ?? x0, x0));
  const isAtMargin = ({ page, x0 }: Line) => x0 - (margins.get(page) as number) < 1;
  const texts = candidates
    .filter(({ at, isBoldOnly }) => isBoldOnly && isAtMargin(lines[at] as Line))
    .map(({ at }) => textOfLine(lines[at] as Line));
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return (at) => isAtMargin(lines[at] as Line) && (counts.get(textOfLine(lines[at] as Line)) ?? 0) >= labelRepeatsMin;
}

interface Candidate {
  at: number;
  count: number;
  isBoldOnly: boolean;
}

function candidatesOf(
  lines: readonly Line[],
  body: { size: number; leading: number },
  taken: ReadonlySet<number>,
): Candidate[] {
  const candidates: Candidate[] = [];
  const font = fontOf(lines);
  for (let at = 0; at < lines.length; at += 1) {
    if (taken.has(at)) continue;
    const line = lines[at] as Line;
    const text = textOfLine(line);
    if (line.table !== undefined || line.isMono || !/\p{L}{2}/u.test(text)) continue;
    if (text.length > headingCharsMax || caption.test(text)) continue;
    if (announcement.test(text)) continue;
    const isLarger = line.size >= body.size * largerRatio;
    if (!isLarger && !isBoldHeading(lines, at, text, { ...body, font })) continue;
    let count = 1;
    while (count < headingLinesMax && !taken.has(at + count) && isMoreOf(lines, at + count)) count += 1;
    // Many consecutive large lines are large text, such as an abstract or a slide.
    const next = lines[at + count];
    const goesOn = count === headingLinesMax && next !== undefined && isMoreOf(lines, at + count);
    if (!goesOn) candidates.push({ at, count, isBoldOnly: line.size < body.size * 1.05 });
    else at = endOfRun(lines, at + count) - count;
    at += count - 1;
  }
  return candidates;
}

const numberedTitle = /^\d{1,3}(?:\.\d{1,3})+\.? +\p{Lu}/u;

/** Returns the font of most of the text. */
function fontOf(lines: readonly Line[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { font, text } of lines.flatMap(({ cells }) => cells.flatMap(({ runs }) => runs)))
    counts.set(font, (counts.get(font) ?? 0) + text.length);
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0];
}

/** A bold sentence that ends in a colon, such as "Observe the following rules:". */
const announcement = /^\p{Lu}\S*(?:\s+\S+){3,}:$/u;

/** Returns true if the line continues the previous one: same size and weight, directly below. */
function isMoreOf(lines: readonly Line[], at: number): boolean {
  const line = lines[at];
  const before = lines[at - 1];
  if (line === undefined || before === undefined || line.isFirst || line.page !== before.page) return false;
  const isAlike = sizeKey(line) === sizeKey(before) && line.isBold === before.isBold && !line.isMono;
  return isAlike && line.y - before.y < line.size * 1.6;
}

function endOfRun(lines: readonly Line[], from: number): number {
  let at = from;
  while (isMoreOf(lines, at)) at += 1;
  return at;
}

function isBoldHeading(
  lines: readonly Line[],
  at: number,
  text: string,
  body: { size: number; leading: number; font: string | undefined },
): boolean {
  const line = lines[at] as Line;
  const isNumbered = numberedTitle.test(text);
  // Printer drivers omit the font names that would show bold. The number may be a separate cell before its title.
  const isOther = isNumbered && line.cells.every(({ runs }) => runs.every((run) => run.font !== body.font));
  if (!(line.isBold || isOther) || line.cells.length > (isNumbered ? 2 : 1)) return false;
  if (text.length > boldHeadingCharsMax || line.size < body.size * 0.95) return false;
  if (/[.,;]$/.test(text) || !/^[\p{Lu}\d]/u.test(text)) return false;
  const before = lines[at - 1];
  const standsAlone = line.isFirst || line.page !== before?.page || line.y - before.y > body.leading * body.size * 1.15;
  const next = lines[at + 1];
  return standsAlone && next !== undefined && !next.isBold;
}

/** Returns the depth of headings missing from the outline, based on their size relative to other headings. */
function depthsBySize(
  lines: readonly Line[],
  marks: ReadonlyMap<number, HeadingMark>,
  candidates: readonly Candidate[],
): (size: number, isBoldOnly: boolean) => number {
  const known = new Map<number, number>();
  for (const [at, { depth }] of marks) {
    const size = sizeKey(lines[at] as Line);
    known.set(size, Math.max(known.get(size) ?? 0, depth));
  }
  const sizes = [...new Set(candidates.filter((one) => !one.isBoldOnly).map(({ at }) => sizeKey(lines[at] as Line)))];
  const ranked = sizes.toSorted((a, b) => b - a);
  const rankOf = (size: number) => {
    const same = known.get(size);
    if (same !== undefined) return same;
    const larger = [...known].filter(([other]) => other > size).map(([, depth]) => depth);
    if (known.size > 0) return Math.max(0, ...larger) + 1;
    return Math.min(4, ranked.indexOf(size) + 1);
  };
  const deepest = Math.max(0, ...ranked.map(rankOf), ...known.values());
  return (size, isBoldOnly) => (isBoldOnly ? deepest + 1 : rankOf(size));
}

function sizeKey(line: Line): number {
  return Math.round(line.size * 2) / 2;
}

function lettersOf(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '');
}
