import type { Place } from '../document.ts';
import { type Line, pagesWithin, type TextRun } from './page-text.ts';
import { isCode } from './reading-order.ts';

/**
 * Returns the text of fixed-width lines with each character in its column on the page, and where further pages start.
 * The text's first line is line 0.
 */
export function codeOf(lines: readonly Line[]): { text: string; pages: Place[] } {
  const runs = lines.flatMap(runsOf);
  const width = characterWidth(runs);
  const texts: string[] = [];
  const starts: Line[] = [];
  let before: Line | undefined;
  // Left and right pages of a book may have different margins.
  const left = new Map<number, number>();
  for (const line of lines) left.set(line.page, Math.min(left.get(line.page) ?? Number.POSITIVE_INFINITY, line.x0));
  for (const line of lines) {
    const isApart = before !== undefined && !line.isFirst && line.y - before.y > line.size * 1.9;
    if (isApart) texts.push('');
    starts.push(...(isApart ? [before as Line, line] : [line]));
    texts.push(placed(runsOf(line), left.get(line.page) ?? 0, width));
    before = line;
  }
  return { text: texts.join('\n'), pages: pagesWithin(starts) };
}

function runsOf(line: Line): TextRun[] {
  return line.cells.flatMap((cell) => cell.runs).filter((run) => run.text.trim() !== '');
}

function characterWidth(runs: readonly TextRun[]): number {
  const widths = runs
    .filter((run) => run.text.length >= 3)
    .map((run) => (run.x1 - run.x0) / run.text.length)
    .toSorted((a, b) => a - b);
  return widths[Math.floor(widths.length / 2)] ?? (runs[0]?.size ?? 10) * 0.6;
}

function placed(runs: readonly TextRun[], left: number, width: number): string {
  let text = '';
  let end = left;
  for (const run of runs) {
    const column = Math.round((run.x0 - left) / width);
    const hasGap = run.x0 - end > width * 0.4;
    if (column > text.length && (text === '' || hasGap)) text += ' '.repeat(Math.min(200, column - text.length));
    else if (hasGap && text !== '' && !text.endsWith(' ')) text += ' ';
    text += run.text;
    end = run.x1;
  }
  return text.trimEnd();
}

const wordsMin = 8;
const charactersMin = 4;
/** Minimum share of a font's words with the same character width; a printer's grid shifts their ends slightly. */
const shareMin = 0.95;
const toleranceShare = 0.04;

/**
 * Marks runs in fixed-width fonts without a telling name (printer drivers write unnamed fonts): narrow and wide letters
 * have the same width.
 */
export function withFixedWidth(lines: readonly Line[]): Line[] {
  const runs = lines.flatMap(({ cells }) => cells.flatMap((cell) => cell.runs)).filter(({ isMono }) => !isMono);
  const fonts = Map.groupBy(runs, ({ font }) => font);
  const fixed = new Set([...fonts.keys()].filter((font) => isFixedWidth(fonts.get(font) as TextRun[])));
  const lengthOf = (some: readonly TextRun[]) => some.reduce((sum, { text }) => sum + text.length, 0);
  // A typewritten document is text, not code.
  const isAll = lengthOf(runs.filter(({ font }) => fixed.has(font))) > lengthOf(runs) / 2;
  if (fixed.size === 0 || isAll) return [...lines];
  const marked = (run: TextRun) => (fixed.has(run.font) ? { ...run, isMono: true } : run);
  return lines.map((line) => {
    const cells = line.cells.map((cell) => ({ ...cell, runs: cell.runs.map(marked) }));
    const shown = cells.flatMap((cell) => cell.runs).filter(({ text }) => text.trim() !== '');
    const table = line.table?.map((row) =>
      row.map((parts) => parts.map((part) => ({ ...part, runs: part.runs.map(marked) }))),
    );
    return { ...line, cells, isMono: isCode(shown), ...(table && { table }) };
  });
}

function isFixedWidth(runs: readonly TextRun[]): boolean {
  const words = runs.filter(({ text }) => text.length >= charactersMin && /[a-z]/i.test(text) && !/\s/.test(text));
  const text = words.map((word) => word.text).join('');
  if (words.length < wordsMin || !/[ijl]/.test(text) || !/[mw]/i.test(text)) return false;
  const widths = words
    .map(({ text: said, x0, x1, size }) => (x1 - x0) / (said.length * size))
    .toSorted((a, b) => a - b);
  const middle = widths[Math.floor(widths.length / 2)] as number;
  const alike = widths.filter((width) => Math.abs(width - middle) <= middle * toleranceShare);
  return alike.length >= widths.length * shareMin;
}
