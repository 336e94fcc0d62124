import { codeSpan } from '../code-span.ts';
import { gridRows } from '../rst/tables.ts';
import { emitPendingLabel } from './emit.ts';
import { rewriteInline } from './inline.ts';
import { tableMarkdown } from './read-table.ts';
import type { Scanner } from './scanner.ts';

/** Returns true if a table of Pandoc starts at the current line: one drawn with `+`, `-` and `|`. */
export function isGridStart(scanner: Scanner, line: string): boolean {
  return /^\+(?:[-=:]+\+)+\s*$/.test(line) && scanner.line(scanner.at + 1)?.startsWith('|') === true;
}

/** Reads a table of Pandoc; code in its cells becomes code spans. */
export function readGridTable(scanner: Scanner): void {
  const lines: string[] = [];
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined && /^[+|]/.test(line); line = scanner.line(++end))
    lines.push(line);
  const rows = gridRows(lines)
    .map((row) => row.map((cell) => rewriteInline(inOneLine(cell), scanner.context, ' ')))
    .filter((row) => row.some((cell) => cell.trim() !== ''));
  emitPendingLabel(scanner);
  scanner.draft.add({ type: 'table', markdown: tableMarkdown(rows) });
  scanner.at = end;
}

/** The lines of a cell without marks of headings and of line breaks. */
function inOneLine(cell: string): string {
  return cell
    .replace(/(`{3,}|~{3,})[^\n]*\n([^]*?)\n\s*\1/g, (_, _marks, code: string) => codeSpan(code))
    .replace(/^\s*#{1,6}\s|\\(?=\s*\n)/g, '');
}
