import type { Line, TextRun } from './page-text.ts';
import { isCode } from './reading-order.ts';

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
