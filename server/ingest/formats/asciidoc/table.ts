import type { Block } from '../../document.ts';
import { codeSpan, tableMarkdown } from '../write-markdown.ts';
import { type BlockAttributes, hasOption } from './block-attributes.ts';
import { inlineMarkdown } from './inline.ts';
import type { AsciidocState } from './state.ts';

const columnsMax = 200;
const copiesMax = 200;

/** Cell specifier: copies or span, alignment, style. */
const cellMark = /(?:(?<!\d)(\d+)(?:\.(\d+))?([*+])|\.(\d+)\+)?[<^>]?(?:\.[<^>])?[adehlmsv]?\|/g;

/** Start of a block inside a cell. */
const blockInCell = /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|```\w*|\[[a-zA-Z][^\]]*\])$/m;

/**
 * Converts the rows between `|===` to a Markdown table; spans are filled with empty cells. `readCell` reads a cell's
 * blocks.
 */
export function tableOf(
  state: AsciidocState,
  lines: readonly string[],
  attributes: BlockAttributes | undefined,
  readCell: (lines: string[]) => Block[],
): string {
  const body = lines.filter((line) => !line.startsWith('//'));
  const isSeparated = attributes?.named.get('format') === 'csv' || attributes?.named.get('format') === 'dsv';
  const rows = isSeparated
    ? body
        .filter((line) => line.trim() !== '')
        .map((line) => line.split(attributes?.named.get('format') === 'csv' ? ',' : ':'))
    : rowsOf(body, columnsOf(attributes));
  const isHeaded = hasOption(attributes, 'header') || isHeaderLine(body);
  const text = rows.map((row) =>
    row.map((cell) =>
      blockInCell.test(cell)
        ? readCell(cell.trimStart().split('\n')).map(onOneLine).join(' ')
        : inlineMarkdown(state, cell.replace(/\s+/g, ' ').trim()),
    ),
  );
  if (!isHeaded && text[0]) text.unshift(text[0].map(() => ''));
  return tableMarkdown(text);
}

function onOneLine({ type, markdown }: Block): string {
  const lines = markdown.split('\n');
  if (type === 'code') return codeSpan(lines.slice(1, -1).join(' ').replace(/\s+/g, ' '));
  return lines.map((line) => line.replace(/^> ?/, '').trim()).join(' ');
}

/** Returns true if the first row is on one line and followed by an empty line. */
function isHeaderLine(lines: readonly string[]): boolean {
  return (lines[0]?.trim() ?? '') !== '' && lines[1]?.trim() === '' && lines.length > 2;
}

function columnsOf(attributes: BlockAttributes | undefined): number {
  const columns = attributes?.named.get('cols');
  if (columns === undefined || columns === '') return 0;
  const count = columns.split(/[,;]/).reduce((sum, part) => sum + Number(/^\s*(\d+)\*/.exec(part)?.[1] ?? 1), 0);
  return Math.min(count, columnsMax);
}

function rowsOf(lines: readonly string[], columns: number): string[][] {
  const cells: Cell[] = [];
  let width = columns;
  for (const line of lines) {
    const found = cellsOf(line);
    const last = cells.at(-1);
    if (found.before.trim() !== '' && last !== undefined) last.text = `${last.text}\n${found.before}`;
    cells.push(...found.cells);
    // Without a column count, the first line with cells determines it.
    if (width === 0 && cells.length > 0) width = cells.length;
  }
  const rows: string[][] = [];
  /** For each column, the number of following rows that a cell still covers. */
  const taken: number[] = [];
  let row: string[] = [];
  const fill = (): void => {
    while (row.length < width && (taken[row.length] ?? 0) > 0) {
      taken[row.length]! -= 1;
      row.push('');
    }
    if (row.length < width) return;
    rows.push(row);
    row = [];
  };
  for (const { text, rows: height } of cells) {
    fill();
    if (row.length === 0) fill();
    taken[row.length] = height - 1;
    row.push(text);
  }
  fill();
  if (row.length > 0) rows.push(row);
  return rows;
}

interface Cell {
  text: string;
  /** Number of rows that the cell covers. */
  rows: number;
}

function cellsOf(line: string): { before: string; cells: Cell[] } {
  const cells: Cell[] = [];
  let before = line;
  let start = -1;
  let copies = 1;
  let span = 1;
  let height = 1;
  const flush = (end: number): void => {
    const text = line.slice(start, end).replaceAll('\\|', '|');
    for (let count = 0; count < copies; count++) cells.push({ text, rows: height });
    for (let count = 1; count < span; count++) cells.push({ text: '', rows: height });
  };
  for (const match of line.matchAll(cellMark)) {
    const previous = line[match.index - 1];
    const isEscaped = line[match.index + match[0].length - 2] === '\\';
    const isInText = match[0].length > 1 && previous !== undefined && !/\s/.test(previous);
    if (isEscaped) continue;
    const at = isInText ? match.index + match[0].length - 1 : match.index;
    if (start < 0) before = line.slice(0, at);
    else flush(at);
    start = match.index + match[0].length;
    const count = isInText ? 1 : Math.min(Number(match[1] ?? 1), copiesMax);
    copies = match[3] === '*' ? count : 1;
    span = match[3] === '+' ? count : 1;
    height = isInText ? 1 : Math.min(Number(match[2] ?? match[4] ?? 1), copiesMax);
  }
  if (start >= 0) flush(line.length);
  return { before, cells };
}
