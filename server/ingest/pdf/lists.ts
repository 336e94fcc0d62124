import type { Place } from '../document.ts';
import type { JoinLines } from './join-lines.ts';
import {
  type BodyMeasures,
  type Cell,
  isMidSentence,
  type Line,
  pagesWithin,
  paragraphOf,
  type TextRun,
  textOfLine,
  textOfRuns,
} from './page-text.ts';

// The private use range contains the bullets of office programs' symbol fonts.
const bullet = /^[•●◦▪▫■□‣⁃∙·∗➢➤❖✓✔►▶◆◇○☐☑\uf020-\uf0ff\u2013\u2014*-]$/u;
const ofSymbolFontMin = 3;
const ofSymbolFontShareMin = 0.7;
const number = /^(?:\(?\d{1,3}[.)]|\(?[a-zA-Z][.)]|\([ivx]{1,5}\))$/;
const depthMax = 4;

interface Item {
  depth: number;
  marker: string;
  lines: Line[];
}

/**
 * Replaces bullets from symbol fonts, which appear as unrelated characters such as `n` or `¢`, with `•`. Such a bullet
 * is a single character at the start of a line in a font that is used for little else.
 */
export function withBullets(lines: readonly Line[]): Line[] {
  const marks = lines.map((_, at) => markAt(lines, at));
  const uses = new Map<string, number>();
  for (const { font } of lines.flatMap(runsOf)) uses.set(font, (uses.get(font) ?? 0) + 1);
  const bullets = new Set<TextRun>();
  const ofFonts = Map.groupBy(
    marks.filter((mark) => mark !== undefined),
    ({ font }) => font,
  );
  for (const [font, all] of ofFonts) {
    // Word writes a hollow bullet as the letter `o` of a fixed-width font, which code may use too.
    const hollow = all.filter(({ text, isMono }) => isMono && text.trim() === 'o');
    const [found, used] = hollow.length > 0 ? [hollow, all.length] : [all, uses.get(font) ?? 0];
    if (found.length < ofSymbolFontMin || found.length < used * ofSymbolFontShareMin) continue;
    for (const mark of found) bullets.add(mark);
  }
  const marked = (run: TextRun) => (bullets.has(run) ? { ...run, text: '• ', isMono: false } : run);
  return lines.map((line, at) => {
    const mark = marks[at];
    if (mark === undefined || !bullets.has(mark)) return line;
    return { ...line, isMono: false, cells: line.cells.map((cell) => ({ ...cell, runs: cell.runs.map(marked) })) };
  });
}

const runsOf = ({ cells }: Line) => cells.flatMap(({ runs }) => runs).filter(({ text }) => text.trim() !== '');

/**
 * Returns the single character in a different font that starts the line, unless the line continues the sentence above.
 */
function markAt(lines: readonly Line[], at: number): TextRun | undefined {
  const [line, above] = [lines[at] as Line, lines[at - 1]];
  const [mark, next] = runsOf(line);
  if (mark === undefined || next === undefined || mark.font === next.font) return undefined;
  const isAlone = mark.text.endsWith(' ') || mark.x1 < next.x0;
  if (!isAlone || !/^[^\s\d]$/u.test(mark.text.trim())) return undefined;
  if (above === undefined || Math.abs(above.x0 - line.x0) > 1 || /[.:;!?]$/.test(textOfLine(above))) return mark;
  const [first] = runsOf(above);
  return first?.font === mark.font && first.text === mark.text ? mark : undefined;
}

/**
 * Returns the list that starts at this line and the number of lines it takes; undefined if the line is not a list item.
 */
export function listAt(
  lines: readonly Line[],
  at: number,
  body: BodyMeasures,
  join: JoinLines,
  isHeading: (index: number) => boolean,
): { markdown: string; pages: Place[]; lines: number } | undefined {
  if (itemOf(lines[at] as Line) === undefined) return undefined;
  const items: Item[] = [];
  const indents: number[] = [];
  let textX = 0;
  let index = at;
  for (; index < lines.length; index += 1) {
    const line = lines[index] as Line;
    const before = lines[index - 1];
    if (index > at && isHeading(index)) break;
    const item = itemOf(line);
    if (item === undefined) {
      const isMore =
        index > at &&
        before !== undefined &&
        (continues(line, before, textX, body) || continuesAtMargin(lines, index, indents.at(-1) as number, body));
      if (!isMore) break;
      items.at(-1)?.lines.push(line);
      continue;
    }
    const isFar =
      index > at && !line.isFirst && before !== undefined && line.y - before.y > body.leading * line.size * 3;
    if (isFar) break;
    while (indents.length > 0 && (indents.at(-1) as number) > line.x0 + line.size * 0.5) indents.pop();
    if (indents.length === 0 || line.x0 > (indents.at(-1) as number) + line.size * 0.5) indents.push(line.x0);
    items.push({ depth: Math.min(depthMax, indents.length) - 1, marker: item.marker, lines: [item.rest] });
    textX = item.rest.x0;
  }
  const only = items[0] as Item;
  // A single number may start a sentence, and a dash may start dialogue.
  if (items.length === 1 && !/^[-]$/.test(only.marker) && only.lines.length === 1 && only.marker !== '1.')
    return undefined;
  const markdown = items.map((item) => render(item, join)).join('\n');
  return { markdown, pages: pagesWithin(items.map((item) => item.lines[0] as Line)), lines: index - at };
}

function render({ depth, marker, lines }: Item, join: JoinLines): string {
  return `${'   '.repeat(depth)}${marker} ${join(lines)}`.trimEnd();
}

function continues(line: Line, before: Line, textX: number, body: BodyMeasures): boolean {
  const paragraph = paragraphOf(line);
  if (paragraph !== undefined && paragraph === paragraphOf(before)) return true;
  // Code broken at the end of a line continues in the next.
  const isCutCode = line.isMono && runsOf(before).at(-1)?.isMono === true && Math.abs(line.x0 - textX) < 1;
  if ((line.isMono && !isCutCode) || line.x0 < textX - line.size * 0.6 || line.x0 > textX + line.size * 3) return false;
  if (line.isFirst || line.page !== before.page) return false;
  return line.y - before.y <= body.leading * line.size * (isMidSentence(before, line) ? 1.5 : 1.12);
}

/**
 * Returns true for TeX's items whose first line is indented like a paragraph and whose other lines start at the margin.
 */
function continuesAtMargin(lines: readonly Line[], at: number, markX: number, body: BodyMeasures): boolean {
  const line = lines[at] as Line;
  const before = lines[at - 1] as Line;
  if (line.isMono || line.isFirst || line.page !== before.page || line.x0 > markX - line.size * 0.6) return false;
  if (line.y - before.y > body.leading * line.size * 1.12) return false;
  const isFurther = before.x0 < markX - line.size * 0.6;
  const near = lines.slice(Math.max(0, at - 60), at + 60).filter(({ page }) => page === line.page);
  const right = Math.max(...near.map(({ x1 }) => x1));
  const [word = ''] = textOfRuns(line.cells[0]?.runs ?? []).split(' ', 1);
  const isFull = before.x1 + (word.length + 1) * line.size * 0.5 > right;
  return isFull && (isFurther || !/[.:;!?]$/.test(textOfLine(before)));
}

/** Returns true if the line starts with a bullet or a number. */
export function isListItem(line: Line): boolean {
  return itemOf(line) !== undefined;
}

/** Returns the item's Markdown marker and the rest of the line; undefined if the line is not an item. */
function itemOf(line: Line): { marker: string; rest: Line } | undefined {
  if (line.isMono) return undefined;
  const runs = runsOf(line);
  const first = runs[0];
  if (first === undefined) return undefined;
  const [word = '', ...others] = first.text.trim().split(/\s+/);
  const isMarker = bullet.test(word) || number.test(word);
  if (!isMarker) return undefined;
  const rest = others.length > 0 ? [shortened(first, others.join(' ')), ...runs.slice(1)] : runs.slice(1);
  const next = rest[0];
  if (next === undefined) return undefined;
  // "-5" and "3.14" are not items: a marker is followed by a space.
  if (others.length === 0 && !first.text.endsWith(' ') && next.x0 - first.x1 < first.size * 0.1) return undefined;
  const digits = /\d{1,3}/.exec(word)?.[0];
  const marker = bullet.test(word) ? '-' : digits === undefined ? `- ${word}` : `${digits}.`;
  const cell: Cell = { runs: rest, x0: next.x0, x1: line.x1, y: line.y, size: line.size };
  return { marker, rest: { ...line, cells: [cell], x0: next.x0 } };
}

function shortened(run: TextRun, text: string): TextRun {
  const share = text.length / Math.max(1, textOfRuns([run]).length);
  return {
    ...run,
    text: run.text.endsWith(' ') ? `${text} ` : text,
    x0: run.x1 - (run.x1 - run.x0) * Math.min(1, share),
  };
}
