import { tableMarkdown } from '../write-markdown.ts';

/**
 * Converts a table between `.TS` and `.TE` to Markdown: options, formats up to a dot, then rows with tab-separated
 * cells. `text` renders one cell.
 */
export function tblTable(lines: readonly string[], text: (source: string) => string): string {
  let at = 0;
  let separator = '\t';
  if (/;\s*$/.test(lines[0] ?? '')) {
    const tab = /tab\s*\(?\s*(.)\s*\)?/.exec(lines[0] as string)?.[1];
    if (tab !== undefined && tab !== ')') separator = tab;
    at++;
  }
  const formats: string[] = [];
  while (at < lines.length) {
    const format = lines[at++] as string;
    formats.push(format);
    if (/\.\s*$/.test(format)) break;
  }
  const rows: string[][] = [];
  let isRuled = false;
  let row: string[] = [];
  let block: string[] | undefined;
  const endRow = (): void => {
    rows.push(row.map(text));
    row = [];
  };
  for (; at < lines.length; at++) {
    const line = lines[at] as string;
    if (block) {
      const end = /^T\}(.*)$/.exec(line);
      if (!end) {
        if (!/^[.'](?:ad|nh|hy|na|sp|br|PP|P)\b/.test(line)) block.push(line.replace(/^[.'][A-Z]{1,2}\s+/, ''));
        continue;
      }
      row.push(block.join(' '));
      block = undefined;
      const rest = end[1] as string;
      if (rest === '') {
        endRow();
        continue;
      }
      block = addCells(row, rest.slice(1).split(separator));
      if (!block) endRow();
    } else if (/^\s*[_=]+\s*$/.test(line)) isRuled ||= rows.length === 1;
    else if (line.startsWith('.T&')) while (at + 1 < lines.length && !/\.\s*$/.test(lines[++at] as string));
    else if (!/^[.'](?:\\"|[a-z])/.test(line) && line.trim() !== '') {
      block = addCells(row, line.split(separator));
      if (!block) endRow();
    }
  }
  const isHeaded = isRuled || /^\s*(?:[lcrn]\s*[bB]|[lcrn]f?B)/.test(formats[0] ?? '');
  if (!isHeaded && rows[0]) rows.unshift(rows[0].map(() => ''));
  return tableMarkdown(rows);
}

/** Adds a line's cells; returns the start of a text block if the last cell opens one. */
function addCells(row: string[], cells: string[]): string[] | undefined {
  const last = cells.at(-1);
  const opens = last?.trim() === 'T{';
  row.push(...(opens ? cells.slice(0, -1) : cells));
  return opens ? [] : undefined;
}
