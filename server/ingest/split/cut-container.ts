import { cutFencedLines } from './cut-code.ts';
import { cutText } from './cut-text.ts';
import { type Fence, fenceOpening, isFenceClosing } from './fences.ts';
import { bareIntroTokens, type Cut, fragmentTokensMax } from './limits.ts';
import { countTokens } from './tokens.ts';

/** A line, or all lines of one fence, which is cut only if it is too long by itself. */
interface Unit {
  text: string;
  tokens: number;
  fence?: Fence;
  /** Text between the previous unit and this one: a line end, and any empty lines. */
  joiner: string;
  isItem: boolean;
}

/**
 * Cuts a list, quote or admonition between its items; items that are too long between paragraphs, then lines and
 * fences, then sentences. Fences inside stay whole, or are closed and reopened.
 */
export function cutContainer(markdown: string): Cut[] {
  const cuts: Cut[] = [];
  const units = unitsOf(markdown.split('\n'));
  let start = 0;
  for (let at = 1; at <= units.length; at++) {
    if (at < units.length && (!(units[at] as Unit).isItem || isLabel(units, start, at))) continue;
    for (const cut of cutItem(units.slice(start, at))) cuts.push(cut);
    start = at;
  }
  return cuts;
}

function cutItem(units: readonly Unit[]): Cut[] {
  if (tokensOf(units) <= fragmentTokensMax) return [joined(units)];
  const cuts: Cut[] = [];
  let start = 0;
  for (let at = 1; at <= units.length; at++) {
    const isEnd = at === units.length || (units[at] as Unit).joiner.slice(1).includes('\n');
    if (!isEnd || (at < units.length && isIntro(units, start, at))) continue;
    const paragraph = units.slice(start, at);
    if (tokensOf(paragraph) <= fragmentTokensMax) cuts.push(joined(paragraph));
    else for (const cut of paragraph.flatMap(cutUnit)) cuts.push(cut);
    start = at;
  }
  return cuts;
}

function isLabel(units: readonly Unit[], start: number, end: number): boolean {
  return units[0]?.isItem === false && isIntro(units, start, end);
}

/** Returns true for an admonition's label or the term at an item's start, which stays with the text it introduces. */
function isIntro(units: readonly Unit[], start: number, end: number): boolean {
  return start === 0 && end <= bareIntroTokens && tokensOf(units.slice(0, end)) <= bareIntroTokens;
}

function cutUnit(unit: Unit): Cut[] {
  if (unit.tokens <= fragmentTokensMax) return [joined([unit])];
  const { fence } = unit;
  if (fence) return cutFence(unit, fence);
  const quote = /^[ \t]{0,8}>[ \t>]{0,8}/.exec(unit.text)?.[0] ?? '';
  return cutText(unit.text, fragmentTokensMax).map((cut, index) =>
    index === 0 ? { ...cut, joiner: unit.joiner } : { ...cut, open: quote, tokens: countTokens(quote + cut.body) },
  );
}

function cutFence(unit: Unit, fence: Fence): Cut[] {
  const lines = unit.text.split('\n');
  const isClosed = lines.length > 1 && isFenceClosing(lines.at(-1) as string, fence);
  const body = lines.slice(1, isClosed ? -1 : undefined);
  const cuts = cutFencedLines(body.length > 0 ? body : [''], fence);
  const first = cuts[0];
  // The first part keeps the original opening line, including a list marker.
  const openLine = (lines[0] as string).length > fragmentTokensMax ? fence.openLine : lines[0];
  if (first) cuts[0] = { ...first, open: '', body: `${openLine}\n${first.body}`, joiner: unit.joiner };
  const last = cuts.at(-1);
  if (last && isClosed) cuts[cuts.length - 1] = { ...last, body: `${last.body}\n${lines.at(-1)}`, close: '' };
  return cuts;
}

function unitsOf(lines: readonly string[]): Unit[] {
  const units: Unit[] = [];
  const baseIndent = indentOf(lines[0] as string);
  let joiner = '';
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] as string;
    if (isEmpty(line)) {
      joiner += `${line}\n`;
      continue;
    }
    const fence = fenceOpening(line);
    let end = at;
    if (fence) {
      end++;
      while (end < lines.length && !isFenceClosing(lines[end] as string, fence)) end++;
      end = Math.min(end, lines.length - 1);
    }
    const text = lines.slice(at, end + 1).join('\n');
    const isItem = indentOf(line) <= baseIndent && /^[ \t>]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(line);
    units.push({ text, tokens: countTokens(text) + 1, fence, joiner: units.length === 0 ? '' : `\n${joiner}`, isItem });
    joiner = '';
    at = end;
  }
  return units;
}

function joined(units: readonly Unit[]): Cut {
  const body = units.map((unit, index) => (index === 0 ? unit.text : unit.joiner + unit.text)).join('');
  return { open: '', body, close: '', joiner: units[0]?.joiner ?? '', tokens: tokensOf(units) };
}

function tokensOf(units: readonly Unit[]): number {
  return units.reduce((sum, unit) => sum + unit.tokens, 0);
}

/** Returns the indentation including quote marks, because list items in a quote start after them. */
function indentOf(line: string): number {
  return /^[ \t>]*/.exec(line)?.[0].length ?? 0;
}

/** Returns true if the line has only white space and quote marks. */
function isEmpty(line: string): boolean {
  return /^[ \t>]*$/.test(line);
}
