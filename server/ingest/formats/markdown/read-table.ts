import { emitPendingLabel } from './emit.ts';
import type { InlineContext } from './inline.ts';
import { rewriteInline } from './inline.ts';
import { isBlank, isDelimiterRow } from './lines.ts';
import type { Scanner } from './scanner.ts';
import { tagAt } from './tags.ts';

/** Returns true if a table starts at the current line: a row of cells above a row of dashes. */
export function isTableStart(scanner: Scanner, index: number, line: string): boolean {
  if (!line.includes('|')) return false;
  const next = scanner.line(index + 1);
  return next !== undefined && isDelimiterRow(next);
}

/** Reads a GFM table up to the first line that cannot be a row. */
export function readTable(scanner: Scanner): void {
  const rows: string[] = [];
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined && !isBlank(line); line = scanner.line(++end)) {
    if (rows.length >= 2 && !line.includes('|')) break;
    rows.push(line.trim());
  }
  const [header = '', delimiter = '', ...body] = rows;
  emitPendingLabel(scanner);
  const cells = [header, ...body].map((row) => rewriteInline(row, scanner.context, ' ').replaceAll('\n', ' '));
  scanner.draft.add({ type: 'table', markdown: [cells[0], delimiter, ...cells.slice(1)].join('\n') });
  scanner.at = end;
}

/** Rows of cells as a GFM table; the first row is its header. Empty when there is no text in it. */
export function tableMarkdown(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  if (width === 0 || rows.every((row) => row.every((cell) => cell.trim() === ''))) return '';
  const line = (cells: readonly string[]): string => {
    const padded = [...cells, ...Array<string>(width - cells.length).fill('')];
    return `| ${padded
      .map((cell) =>
        cell
          .replace(/\s+/g, ' ')
          .trim()
          .replace(/(?<!\\)\|/g, '\\|'),
      )
      .join(' | ')} |`;
  };
  const [header = [], ...body] = rows;
  return [line(header), `| ${Array<string>(width).fill('---').join(' | ')} |`, ...body.map(line)].join('\n');
}

/** An HTML table in Markdown as a GFM table. Spans are not spread out; what is nested is read as text. */
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
