import type { Block } from '../document.ts';
import { codeSpan, escapeLineStart, fence } from '../extract/markdown-text.ts';
import { identifiersIn } from '../formats/identifiers.ts';
import { codeOf, withFixedWidth } from './code-lines.ts';
import { type Entry, endsWithKind, findEntries } from './entries.ts';
import { findHeadings, type HeadingMark } from './headings.ts';
import { inlineOf } from './inline-text.ts';
import { createJoiner, type JoinLines } from './join-lines.ts';
import { listAt, withBullets } from './lists.ts';
import { withoutFurniture } from './page-furniture.ts';
import {
  type BodyMeasures,
  dominantSize,
  isMidSentence,
  type Line,
  type OutlineEntry,
  pageAnchor,
  paragraphOf,
  type TextRun,
  textOfLine,
  textOfRuns,
} from './page-text.ts';
import { separateRunInHeadings } from './run-in-headings.ts';
import { cellsOfTable, tableAt, tableMarkdown } from './tables.ts';

/**
 * Converts lines of pages to blocks in reading order: headings, paragraphs, lists, tables and code, each with the page
 * it starts on as its anchor. Omits text that repeats at the edges of pages.
 */
export function layOut(pages: readonly Line[][], outline: readonly OutlineEntry[]): Block[] {
  const lines = separateRunInHeadings(withBullets(withFixedWidth(withoutFurniture(pages).flat())));
  const body = measure(lines);
  const headings = findHeadings(lines, outline, body);
  const entries = findEntries(lines, body, (index) => headings.has(index) && !headings.get(index)?.isBoldOnly);
  for (const at of entries.keys()) headings.delete(at);
  const layout: Layout = { lines, body, headings, entries, join: createJoiner(lines), blocks: [], open: [] };
  let at = 0;
  while (at < lines.length) {
    closeEntries(layout, at);
    at += addBlock(layout, at);
  }
  closeEntries(layout, at);
  return layout.blocks;
}

interface Layout {
  lines: Line[];
  body: BodyMeasures;
  headings: Map<number, HeadingMark>;
  entries: Map<number, Entry>;
  join: JoinLines;
  blocks: Block[];
  /** Entries around the next line; `term` is the block index of their term. */
  open: { term: number; end: number }[];
}

function closeEntries({ blocks, open }: Layout, at: number): void {
  while (open.length > 0 && (open.at(-1) as { end: number }).end <= at) {
    const { term } = open.pop() as { term: number };
    blocks[term] = { ...(blocks[term] as Block), span: blocks.length - 1 - term };
  }
}

/** Adds the block that starts at this line; returns the number of lines it took. */
function addBlock(layout: Layout, at: number): number {
  const { lines, body, headings, entries, join } = layout;
  const { table: cells } = lines[at] as Line;
  if (cells !== undefined) return addTable(layout, at, cellsOfTable(cells));
  const heading = headings.get(at);
  if (heading !== undefined) return addHeading(layout, at, heading);
  const entry = entries.get(at);
  const isHeading = (index: number) => isApart(layout, index);
  const isRow = (line: Line) => !endsWithKind(line) && tableAt(lines, at, body, isHeading) !== undefined;
  if (entry !== undefined && !isRow(lines[at] as Line)) return addEntry(layout, at, entry);
  const code = codeLinesAt(layout, at);
  if (code > 0) {
    const { text, pages } = codeOf(lines.slice(at, at + code));
    // The opening fence is a line too.
    const places = pages.map(({ id, line }) => ({ id, line: line + 1 }));
    if (text.trim() !== '') add(layout, at, { type: 'code', markdown: fence(text), places });
    return code;
  }
  const list = listAt(lines, at, body, join, (index) => isOpening(layout, index));
  if (list !== undefined) {
    add(layout, at, { type: 'list', markdown: list.markdown, places: list.pages });
    return list.lines;
  }
  const table = tableAt(lines, at, body, isHeading);
  if (table !== undefined) {
    add(layout, at, { type: 'table', markdown: table.markdown, places: table.places });
    return table.lines;
  }
  return addParagraph(layout, at);
}

function add({ blocks, lines }: Layout, at: number, { places = [], ...block }: Block): void {
  const anchor = pageAnchor((lines[at] as Line).page);
  blocks.push({ ...block, anchor, ...(places.length > 0 && { places }) });
}

/** Adds a tagged table, or appends its rows to the table at the end of the previous page. */
function addTable(layout: Layout, at: number, rows: string[][]): number {
  const { lines, blocks } = layout;
  const before = blocks.at(-1);
  const [head = ''] = tableMarkdown(rows).split('\n');
  const columns = (markdown: string) => markdown.split('\n', 1)[0]?.split(' | ').length;
  const goesOn =
    lines[at]?.isFirst && lines[at - 1]?.table !== undefined && columns(before?.markdown ?? '') === rows[0]?.length;
  if (before === undefined || !goesOn) add(layout, at, { type: 'table', markdown: tableMarkdown(rows) });
  else {
    const isRepeated = before.markdown.startsWith(head);
    const more = rows.slice(isRepeated ? 1 : 0).map((row) => `| ${row.join(' | ')} |`);
    const page = { id: pageAnchor((lines[at] as Line).page), line: before.markdown.split('\n').length };
    const places = [...(before.places ?? []), page];
    blocks[blocks.length - 1] = { ...before, markdown: [before.markdown, ...more].join('\n'), places };
  }
  return 1;
}

function addHeading(layout: Layout, at: number, { depth, lines: count }: HeadingMark): number {
  const markdown = layout.join(layout.lines.slice(at, at + count));
  if (markdown === '') return count;
  closeEntries(layout, layout.lines.length);
  const identifiers = identifiersIn(markdown);
  const named = identifiers.length > 0 ? { identifiers } : {};
  add(layout, at, { type: 'heading', markdown, depth, ...named });
  return count;
}

/** Adds an entry's name; any text after it on the line becomes the next line to process. */
function addEntry({ lines, entries, blocks, open, ...layout }: Layout, at: number, entry: Entry): number {
  const names = entry.names.map((runs) => (runs[0]?.isMono ? codeSpan(textOfRuns(runs)) : inlineOf(runs)));
  const markdown = names.join(', ');
  const identifiers = identifiersIn(entry.names.map(subjectOf).join(' '));
  const depth = Math.min(open.length + 1, 6);
  open.push({ term: blocks.length, end: entry.end });
  add({ lines, entries, blocks, open, ...layout }, at, {
    type: 'term',
    markdown,
    depth,
    span: 0,
    ...(identifiers.length > 0 && { identifiers }),
  });
  const count = entry.lines;
  if (entry.rest === undefined) return count;
  lines[at + count - 1] = entry.rest;
  entries.delete(at);
  return count - 1;
}

/** Returns an entry's subject as code: the called name, the only word, or the inline text. */
function subjectOf(runs: readonly TextRun[]): string {
  const text = textOfRuns(runs);
  const called = runs[0]?.isMono ? /([^\s(]+)\s*\(/.exec(text)?.[1] : undefined;
  return called !== undefined || !/\s/.test(text) ? codeSpan(called ?? text) : inlineOf(runs);
}

/** Returns true if the line is a heading or tagged table. */
function isApart({ headings, lines }: Layout, at: number): boolean {
  return headings.has(at) || lines[at]?.table !== undefined;
}

/** Returns true if a heading, entry or tagged table starts at the line. */
function isOpening(layout: Layout, at: number): boolean {
  return isApart(layout, at) || layout.entries.has(at);
}

function addParagraph(layout: Layout, at: number): number {
  const { lines, body, join } = layout;
  const isOther = (index: number) => isOpening(layout, index);
  let count = 1;
  while (at + count < lines.length) {
    const index = at + count;
    if (isOther(index) || codeLinesAt(layout, index) > 0 || !goesOn(lines, index, body, join)) break;
    if (listAt(lines, index, body, join, isOther) !== undefined) break;
    if (tableAt(lines, index, body, (other) => isApart(layout, other)) !== undefined) break;
    count += 1;
  }
  const text = escapeLineStart(join(lines.slice(at, at + count)));
  if (text !== '') add(layout, at, { type: 'paragraph', markdown: text });
  return count;
}

/** Returns true if the line continues the previous line's paragraph. */
function goesOn(lines: readonly Line[], at: number, body: BodyMeasures, join: JoinLines): boolean {
  const line = lines[at] as Line;
  const before = lines[at - 1] as Line;
  const [tagged, taggedBefore] = [paragraphOf(line), paragraphOf(before)];
  if (tagged !== undefined && tagged === taggedBefore) return true;
  if (Math.abs(line.size - before.size) > Math.max(0.8, before.size * 0.12)) return false;
  if (line.isFirst || line.page !== before.page) {
    return isMidSentence(before, line) && before.cells.length === 1;
  }
  const distance = line.y - before.y;
  // Footnotes may have different line spacing. On pages printed by a browser, a superscript moves its line down.
  const isWrapped = isMidSentence(before, line) && isFull(lines, at - 1);
  const leading = body.leading * (isWrapped ? 1.5 : hasScript(line) ? 1.4 : 1.12);
  if (distance <= 0 || distance > leading * before.size) return false;
  const indent = line.x0 - before.x0;
  // An indented line starts a paragraph, unless the previous line's sentence is unfinished.
  if (indent > before.size * 0.8) return !/[.:!?]$/.test(join([before])) && indent < before.size * 4;
  return indent > -before.size * 4;
}

/** Minimum width of a line of running text, in font sizes. */
const proseSizesMin = 20;

/** Returns true if the next line's first word does not fit at the end of this line. */
function isFull(lines: readonly Line[], at: number): boolean {
  const [line, next] = [lines[at] as Line, lines[at + 1] as Line];
  const around = lines.slice(Math.max(0, at - 3), at + 5).filter(({ page }) => page === line.page);
  const text = textOfLine(next);
  const word = ((next.x1 - next.x0) * text.search(/\s|$/)) / text.length;
  // Index lines are as long as their words, regardless of the column width.
  return (
    line.x1 - line.x0 > line.size * proseSizesMin &&
    line.x1 + word > Math.max(...around.map(({ x1 }) => x1)) - line.size * 0.5
  );
}

function hasScript({ cells, size, y }: Line): boolean {
  return cells.some(({ runs }) => runs.some((run) => run.size < size * 0.9 && run.y < y - size * 0.1));
}

/** Returns the number of lines from here on that form a code block: fixed-width and not part of a sentence. */
function codeLinesAt(layout: Layout, at: number): number {
  const { lines, body } = layout;
  if (!(lines[at] as Line).isMono) return 0;
  let count = 1;
  let left = (lines[at] as Line).x0;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] as Line;
    if (!line.isMono || isOpening(layout, index)) break;
    const before = lines[index - 1] as Line;
    const distance = line.isFirst ? 0 : (line.y - before.y) / (body.leading * before.size);
    // A separate line further left starts the next explained item.
    if (distance > 4 || (distance > 1.12 && line.x0 < left - line.size) || line.page > before.page + 1) break;
    left = line.page === before.page ? Math.min(left, line.x0) : line.x0;
    count += 1;
  }
  return count === 1 && isWithinSentence(lines, at, body) ? 0 : count;
}

function isWithinSentence(lines: readonly Line[], at: number, body: BodyMeasures): boolean {
  const [before, line, after] = [lines[at - 1], lines[at] as Line, lines[at + 1]];
  const isNear = (a: Line | undefined, b: Line | undefined) =>
    a !== undefined && b !== undefined && !b.isFirst && b.y - a.y <= body.leading * a.size * 1.12;
  if (before === undefined || before.isMono || !isNear(before, line) || Math.abs(before.x0 - line.x0) >= 2)
    return false;
  const end = line.cells.at(-1)?.runs.findLast(({ text }) => text.trim() !== '');
  // The end of a sentence in text font: `check_version` and `).`
  if (end?.isMono === false) return true;
  return after === undefined || (!after.isMono && isNear(line, after));
}

/** Measures the size and line spacing of text that is not code. */
function measure(lines: readonly Line[]): BodyMeasures {
  const prose = lines.filter((line) => !line.isMono);
  const measured = prose.length > 0 ? prose : lines;
  const size = dominantSize(measured.flatMap((line) => line.cells.flatMap((cell) => cell.runs)));
  const distances = new Map<number, number>();
  for (const [index, line] of measured.entries()) {
    const before = measured[index - 1];
    if (before === undefined || line.isFirst || line.page !== before.page) continue;
    const ratio = (line.y - before.y) / size;
    if (ratio < 0.9 || ratio > 2.4 || Math.abs(line.size - size) > 1) continue;
    const rounded = Math.round(ratio * 25) / 25;
    distances.set(rounded, (distances.get(rounded) ?? 0) + 1);
  }
  const [leading = 1.25] = [...distances].toSorted((a, b) => b[1] - a[1])[0] ?? [];
  return { size, leading: leading + 0.02 };
}
