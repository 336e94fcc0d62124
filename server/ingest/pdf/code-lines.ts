import type { Place } from '../document.ts';
import { type Line, pagesWithin, type TextRun } from './page-text.ts';

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
