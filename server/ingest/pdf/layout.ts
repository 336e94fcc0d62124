import type { Block } from '../document.ts';
import { escapeLineStart, fence } from '../extract/markdown-text.ts';
import { identifiersIn } from '../formats/identifiers.ts';
import { codeOf } from './code-lines.ts';
import { findHeadings, type HeadingMark } from './headings.ts';
import { createJoiner, type JoinLines } from './join-lines.ts';
import { listAt } from './lists.ts';
import { withoutFurniture } from './page-furniture.ts';
import { type BodyMeasures, dominantSize, type Line, type OutlineEntry } from './page-text.ts';
import { tableAt } from './tables.ts';

/** Fragment that addresses a page of a PDF. */
export function pageAnchor(page: number): string {
  return `page=${page}`;
}

/**
 * Blocks of a document from the lines of its pages: headings, paragraphs, lists, tables and code, in reading order, each
 * with the page it begins on as its anchor. What repeats at the edges of pages is left out.
 */
export function layOut(pages: readonly Line[][], outline: readonly OutlineEntry[]): Block[] {
  const lines = withoutFurniture(pages).flat();
  const body = measure(lines);
  const headings = findHeadings(lines, outline, body);
  const layout: Layout = { lines, body, headings, join: createJoiner(lines), blocks: [] };
  let at = 0;
  while (at < lines.length) at += addBlock(layout, at);
  return layout.blocks;
}

interface Layout {
  lines: Line[];
  body: BodyMeasures;
  headings: Map<number, HeadingMark>;
  join: JoinLines;
  blocks: Block[];
}

/** Adds the block that begins at this line; answers how many lines it took. */
function addBlock(layout: Layout, at: number): number {
  const { lines, body, headings, join } = layout;
  const heading = headings.get(at);
  if (heading !== undefined) return addHeading(layout, at, heading);
  const isHeading = (index: number) => headings.has(index);
  const code = codeLinesAt(layout, at);
  if (code > 0) {
    const text = codeOf(lines.slice(at, at + code));
    if (text.trim() !== '') add(layout, at, { type: 'code', markdown: fence(text) });
    return code;
  }
  const list = listAt(lines, at, body, join, isHeading);
  if (list !== undefined) {
    add(layout, at, { type: 'list', markdown: list.markdown });
    return list.lines;
  }
  const table = tableAt(lines, at, body, isHeading);
  if (table !== undefined) {
    add(layout, at, { type: 'table', markdown: table.markdown });
    return table.lines;
  }
  return addParagraph(layout, at);
}

function add({ blocks, lines }: Layout, at: number, block: Block): void {
  blocks.push({ ...block, anchor: pageAnchor((lines[at] as Line).page) });
}

function addHeading(layout: Layout, at: number, { depth, lines: count }: HeadingMark): number {
  const markdown = layout.join(layout.lines.slice(at, at + count));
  if (markdown === '') return count;
  const identifiers = identifiersIn(markdown);
  const named = identifiers.length > 0 ? { identifiers } : {};
  add(layout, at, { type: 'heading', markdown, depth, ...named });
  return count;
}

function addParagraph(layout: Layout, at: number): number {
  const { lines, body, headings, join } = layout;
  let count = 1;
  while (at + count < lines.length) {
    const index = at + count;
    const isOther = headings.has(index) || codeLinesAt(layout, index) > 0;
    if (isOther || !goesOn(lines, index, body, join)) break;
    if (listAt(lines, index, body, join, (other) => headings.has(other)) !== undefined) break;
    if (tableAt(lines, index, body, (other) => headings.has(other)) !== undefined) break;
    count += 1;
  }
  const text = escapeLineStart(join(lines.slice(at, at + count)));
  if (text !== '') add(layout, at, { type: 'paragraph', markdown: text });
  return count;
}

/** Returns true if the line belongs to the paragraph of the line before it. */
function goesOn(lines: readonly Line[], at: number, body: BodyMeasures, join: JoinLines): boolean {
  const line = lines[at] as Line;
  const before = lines[at - 1] as Line;
  if (Math.abs(line.size - before.size) > Math.max(0.8, before.size * 0.12)) return false;
  if (line.isFirst || line.page !== before.page) {
    const text = join([before]);
    return !/[.:!?)”"]$/.test(text) && /^\p{Ll}/u.test(join([line])) && before.cells.length === 1;
  }
  const distance = line.y - before.y;
  if (distance <= 0 || distance > body.leading * before.size * 1.12) return false;
  const indent = line.x0 - before.x0;
  // The first line of a paragraph may stand to the right of the others, and so says that one begins.
  if (indent > before.size * 0.8) return !/[.:!?]$/.test(join([before])) && indent < before.size * 4;
  return indent > -before.size * 4;
}

/** How many lines from here on are a block of code: set in a font of fixed width, and no part of a sentence. */
function codeLinesAt({ lines, headings, body }: Layout, at: number): number {
  if (!(lines[at] as Line).isMono) return 0;
  let count = 1;
  let left = (lines[at] as Line).x0;
  for (let index = at + 1; index < lines.length; index += 1) {
    const line = lines[index] as Line;
    if (!line.isMono || headings.has(index)) break;
    const before = lines[index - 1] as Line;
    const distance = line.isFirst ? 0 : (line.y - before.y) / (body.leading * before.size);
    // What stands apart and further left is the next thing that is explained.
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
  // The end of a sentence in the font of text: `check_version` and `).`
  if (end?.isMono === false) return true;
  return after === undefined || (!after.isMono && isNear(line, after));
}

/** Size of the text that is not code, and how far its lines stand apart. */
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
