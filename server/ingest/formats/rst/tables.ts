import { tableMarkdown } from '../write-markdown.ts';
import { inlineMarkdown } from './inline.ts';
import { indentOf, isEmpty, type RstState } from './state.ts';

type Rows = string[][];

/** Converts a table drawn with `+`, `-` and `|` to Markdown. */
export function gridTable(state: RstState, lines: readonly string[]): string {
  return finish(state, gridRows(lines));
}

/**
 * Returns the cells of a table drawn with `+`, `-` and `|`, each with its lines. A cell that spans columns has its text
 * in the first of them.
 */
export function gridRows(lines: readonly string[]): string[][] {
  const columns = positionsOf(lines[0] as string, '+');
  const rows: Rows = [];
  let row: string[] | undefined;
  for (const line of lines) {
    if (/^\+[-=:+]+\+?\s*$/.test(line)) row = undefined;
    else {
      if (row === undefined) {
        row = columns.slice(1).map(() => '');
        rows.push(row);
      }
      addGridLine(row, line, columns);
    }
  }
  return rows;
}

function addGridLine(row: string[], line: string, columns: readonly number[]): void {
  let cell = 0;
  let start = (columns[0] as number) + 1;
  for (let index = 1; index < columns.length; index++) {
    const end = columns[index] as number;
    if (line[end] !== '|' && index < columns.length - 1) continue;
    row[cell] += `\n${line.slice(start, end).replace(/\+-[-+]*/g, '')}`;
    cell = index;
    start = end + 1;
  }
}

/** Converts a table with `===  ===` column rules. A line with an empty first column belongs to the row above. */
export function simpleTable(state: RstState, lines: readonly string[]): string {
  const starts = [...(lines[0] as string).matchAll(/=+/g)].map((match) => match.index);
  const rows: Rows = [];
  for (const line of lines) {
    if (isEmpty(line) || /^[\s=]+$/.test(line) || /^[\s-]+$/.test(line)) continue;
    const cells = starts.map((start, index) => line.slice(start, starts[index + 1]).trim());
    const last = rows.at(-1);
    if (cells[0] === '' && last) for (const [index, cell] of cells.entries()) last[index] += ` ${cell}`;
    else rows.push(cells);
  }
  return finish(state, rows);
}

/** Converts the body of `csv-table`, with its header option. */
export function csvTable(state: RstState, header: string, lines: readonly string[]): string {
  return finish(state, [
    ...(header === '' ? [] : [csvCells(header)]),
    ...lines.filter((line) => !isEmpty(line)).map(csvCells),
  ]);
}

function csvCells(line: string): string[] {
  return [...line.matchAll(/(?!(?<=\s)\s)\s*(?:"((?:[^"]|"")*)"\s*|((?:[^,"\s][^,"]*)?))(?:,|$)/g)]
    .filter((match) => match[0] !== '')
    .map((match) => (match[1]?.replaceAll('""', '"') ?? match[2] ?? '').trim());
}

/** Converts the body of `list-table`: a list of rows, each a list of cells. */
export function listTable(state: RstState, lines: readonly string[]): string {
  const rows: Rows = [];
  for (const line of lines) {
    const start = /^([*+-])\s+([*+-])(?:\s+(.*))?$/s.exec(line);
    const cell = start ? null : /^\s{1,6}[*+-](?:\s+(.*))?$/s.exec(line);
    const row = rows.at(-1);
    if (start) rows.push([start[3] ?? '']);
    else if (cell && row && indentOf(line) <= 4) row.push(cell[1] ?? '');
    else if (row && row.length > 0) row[row.length - 1] += ` ${line.trim()}`;
  }
  return finish(state, rows);
}

/** Version notes are directives even inside a cell. */
const versionMark = /\.\. (version(?:added|changed)|deprecated)::\s*(\S+)/g;

function finish(state: RstState, rows: Rows): string {
  return tableMarkdown(
    rows.map((row) =>
      row.map((cell) => inlineMarkdown(state, cell.replace(versionMark, '($1 $2)').replace(/\s+/g, ' ').trim())),
    ),
  );
}

function positionsOf(text: string, char: string): number[] {
  const positions: number[] = [];
  for (let at = text.indexOf(char); at >= 0; at = text.indexOf(char, at + 1)) positions.push(at);
  return positions;
}
