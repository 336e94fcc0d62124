import { gridRows } from '../rst/tables.ts';
import { codeSpan, tableMarkdown } from '../write-markdown.ts';
import { emitPendingLabel } from './emit.ts';
import { type InlineContext, rewriteInline } from './inline.ts';
import { isBlank, isDelimiterRow } from './lines.ts';
import type { Scanner } from './scanner.ts';
import { tagAt } from './tags.ts';

/** Returns true if a table starts at the current line: a row of cells above a row of dashes. */
export function isTableStart(scanner: Scanner, index: number, line: string): boolean {
  if (!line.includes('|')) return false;
  const next = scanner.line(index + 1);
  return next !== undefined && isDelimiterRow(next);
}

/** Reads a GFM table up to the first line that cannot be a row. Spaces that only align columns are left out. */
export function readTable(scanner: Scanner): void {
  const rows: string[] = [];
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined && !isBlank(line); line = scanner.line(++end)) {
    if (rows.length >= 2 && !line.includes('|')) break;
    rows.push(line.trim().replace(/(?<=\|)[ \t]{2,}|(?<![ \t])[ \t]{2,}(?=\|)/g, ' '));
  }
  const [header = '', delimiter = '', ...body] = rows;
  emitPendingLabel(scanner);
  const cells = [header, ...body].map((row) => rewriteInline(row, scanner.context, ' ').replaceAll('\n', ' '));
  scanner.draft.add({
    type: 'table',
    markdown: [cells[0], delimiter.replace(/-{4,}/g, '---'), ...cells.slice(1)].join('\n'),
  });
  scanner.at = end;
}

/** Converts an HTML table in Markdown to a GFM table. Ignores spans; nested content is read as text. */
export function htmlTable(html: string, context: InlineContext): string {
  const rows: string[][] = [];
  let cellStart = -1;
  const endCell = (at: number): void => {
    if (cellStart < 0) return;
    rows.at(-1)?.push(rewriteInline(html.slice(cellStart, at), context, ' '));
    cellStart = -1;
  };
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) {
    const tag = tagAt(html, at);
    const name = tag?.name.toLowerCase();
    if (!tag || !(name === 'td' || name === 'th' || name === 'tr')) continue;
    endCell(at);
    if (tag.isClosing) continue;
    if (name === 'tr') rows.push([]);
    else {
      if (rows.length === 0) rows.push([]);
      cellStart = tag.end;
    }
  }
  endCell(html.length);
  return tableMarkdown(rows.filter((row) => row.length > 0));
}

/** Returns true if a Pandoc grid table starts at the current line: one drawn with `+`, `-` and `|`. */
export function isGridStart(scanner: Scanner, line: string): boolean {
  return /^\+(?:[-=:]+\+)+\s*$/.test(line) && scanner.line(scanner.at + 1)?.startsWith('|') === true;
}

/** Reads a Pandoc grid table; code in its cells becomes code spans. */
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

/** Returns a cell's lines without heading and line break marks. */
function inOneLine(cell: string): string {
  return cell
    .replace(/(`{3,}|~{3,})[^\n]*\n([^]*?)\n\s*\1/g, (_, _marks, code: string) => codeSpan(code))
    .replace(/^\s*#{1,6}\s|\\(?=\s*\n)/g, '');
}
