import type { Block } from '../../document.ts';
import { identifiersIn, optionNames } from '../identifiers.ts';
import { codeSpan, listItem, missingFile } from '../write-markdown.ts';
import { attributeLine } from './block-attributes.ts';
import { inlineMarkdown } from './inline.ts';
import type { AsciidocState } from './state.ts';

const term = /^\s*(\S(?:.*?\S)?)(:{2,4}|;;)(?:\s+(\S.*))?$/s;
const bullet = /^\s*(\*{1,6}|-|\.{1,6}|\d{1,6}\.|[a-zA-Z]\.|<(?:\d{1,3}|\.)>)\s+(\S.*)$/;
/** Deeper lists are rendered at this depth. */
const depthMax = 6;
const namesMax = 12;

export function isTerm(line: string): boolean {
  return /(?:::|;;)(?:\s|$)/.test(line.slice(0, 1000)) && line.length < 1000 && term.test(line) && !isBlockMacro(line);
}

export function isBullet(line: string): boolean {
  return bullet.test(line.slice(0, 200));
}

export function isBlockMacro(line: string): boolean {
  return line.trimEnd().endsWith(']') && /^[a-z][\w-]*::\S*\[/i.test(line);
}

/** Returns the file of an unresolved include. */
export function includedFile(line: string): string | undefined {
  return /^include::([^\s[][^[]*)\[.*\]\s*$/.exec(line)?.[1];
}

export function isComment(line: string): boolean {
  return /^\/\/(?!\/)/.test(line);
}

/** Returns true for a line that delimits a block. */
export function isBlockStart(line: string): boolean {
  return /^(?:-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|\/{4,}|--|[|,!:]={3,}|```.*)\s*$/.test(line);
}

/** Reads terms and their descriptions; a term with a different marker is nested in the one above. */
export function readTerms(state: AsciidocState, lines: readonly string[], from: number, nesting: number): number {
  const open: string[] = [];
  let at = from;
  for (;;) {
    const start = skipEmpty(lines, at);
    const line = lines[start] ?? '';
    const anchor = attributeLine(line);
    if (anchor?.id !== undefined && anchor.style === undefined && isTerm(lines[start + 1] ?? '')) {
      state.draft.anchorNext(anchor.id);
      at = start + 1;
      continue;
    }
    const match = isTerm(line) ? term.exec(line) : null;
    if (!match) break;
    const { mark, text, names, next } = termsAt(lines, start, match);
    const known = open.indexOf(mark);
    const kept = known >= 0 ? known : Math.min(open.length, depthMax - 1);
    for (; open.length > kept; open.pop()) state.draft.closeTerm();
    openTerm(state, names);
    open.push(mark);
    at = readBody(state, lines, next, text, nesting);
  }
  for (const _ of open) state.draft.closeTerm();
  return Math.max(at, from + 1);
}

/** Reads consecutive lines with alternative names of one term. */
function termsAt(
  lines: readonly string[],
  at: number,
  match: RegExpExecArray,
): { mark: string; text: string; names: string[]; next: number } {
  const mark = match[2] as string;
  const names = [match[1] as string];
  let text = match[3] ?? '';
  let next = at + 1;
  while (text === '' && names.length < namesMax) {
    const line = lines[next] ?? '';
    const another = isTerm(line) ? term.exec(line) : null;
    if (another?.[2] !== mark) break;
    names.push(another[1] as string);
    text = another[3] ?? '';
    next++;
  }
  return { mark, text, names, next };
}

function openTerm(state: AsciidocState, sources: readonly string[]): void {
  const shown: string[] = [];
  const identifiers: string[] = [];
  for (const source of sources) {
    const name = state.substituted(source).replace(/^\[\[([^\]]+)\]\]/, (_, id: string) => {
      state.draft.anchorNext(id);
      return '';
    });
    // Options are code even without markup.
    const isOption = /^[`']?-{1,2}[\w<[]/.test(name);
    const markdown = isOption ? codeSpan(name.replace(/[`']/g, '')) : inlineMarkdown(state, name);
    shown.push(markdown);
    identifiers.push(...(isOption ? optionNames(name) : identifiersIn(markdown)));
  }
  state.draft.openTerm(shown.join(', '), [...new Set(identifiers)]);
}

/** Reads an item's text, the blocks attached to it with a `+` line, and nested lists. */
function readBody(
  state: AsciidocState,
  lines: readonly string[],
  from: number,
  first: string,
  nesting: number,
): number {
  let at = first === '' ? skipEmpty(lines, from) : from;
  // After an empty line, only text that is indented or attached with "+" belongs to the term.
  if (first === '' && at > from && isTerm(lines[at] ?? '')) return from;
  const text = first === '' ? [] : [first];
  at = readLines(lines, at, text);
  state.draft.addText('paragraph', inlineMarkdown(state, text.join('\n')));
  for (;;) {
    const next = skipEmpty(lines, at);
    const line = lines[next] ?? '';
    if (line === '+' || line === '{plus}') at = Math.max(readAttached(state, lines, next + 1, nesting), next + 1);
    else if (line !== '' && isBullet(line)) at = readList(state, lines, next, nesting);
    else if (next > at && /^[ \t]/.test(line) && !isTerm(line)) {
      const more: string[] = [];
      at = readLines(lines, next, more);
      state.draft.addText('paragraph', inlineMarkdown(state, more.join('\n')));
    } else return at;
  }
}

/** Reads the block after a `+` line, including its attribute lines. */
function readAttached(state: AsciidocState, lines: readonly string[], from: number, nesting: number): number {
  let at = from;
  for (let count = 0; count < 10; count++) {
    const isAttributes = attributeLine(lines[at] ?? '') !== undefined;
    const next = at < lines.length ? state.readBlock(state, lines, at, nesting) : at;
    at = next;
    if (!isAttributes) break;
  }
  return at;
}

/** Collects running text up to an empty line or the start of another block. */
function readLines(lines: readonly string[], from: number, text: string[]): number {
  let at = from;
  for (; at < lines.length; at++) {
    const line = lines[at] as string;
    if (isComment(line)) continue;
    if (line.trim() === '' || line === '+' || isTerm(line) || isBlockStart(line)) break;
    if (isBullet(line) && (text.length > 0 || at > from)) break;
    if (isBullet(line) || attributeLine(line) !== undefined) break;
    const file = includedFile(line);
    text.push(file === undefined ? line.trim() : missingFile(file));
  }
  return at;
}

/** Reads bulleted and numbered items and code call-outs as one list, nested by their markers. */
export function readList(state: AsciidocState, lines: readonly string[], from: number, nesting: number): number {
  const out: string[] = [];
  const marks: string[] = [];
  const numbers: number[] = [];
  let at = from;
  for (;;) {
    const start = skipEmpty(lines, at);
    const match = bullet.exec((lines[start] ?? '').slice(0, 100_000));
    if (!match) break;
    const mark = markKind(match[1] as string);
    const known = marks.indexOf(mark);
    if (known >= 0) marks.length = numbers.length = known + 1;
    else if (marks.length < depthMax) {
      marks.push(mark);
      numbers.push(0);
    }
    const depth = marks.length - 1;
    numbers[depth] = (numbers[depth] ?? 0) + 1;
    const isNumbered = mark.startsWith('.') || mark === '1' || mark === '<';
    const text = [(match[2] as string).replace(/^\[([ x*])\] /, (_, done: string) => (done === ' ' ? '[ ] ' : '[x] '))];
    at = readLines(lines, start + 1, text);
    const blocks: Block[] = [{ type: 'paragraph', markdown: inlineMarkdown(state, text.join('\n')) }];
    for (let next = skipEmpty(lines, at); lines[next] === '+'; next = skipEmpty(lines, at)) {
      blocks.push(
        ...state.captured(() => {
          at = Math.max(readAttached(state, lines, next + 1, nesting), next + 1);
        }),
      );
    }
    out.push(itemText(blocks, isNumbered ? `${numbers[depth]}. ` : '- ', marks, depth));
  }
  state.draft.addText('list', out.join('\n'));
  return Math.max(at, from + 1);
}

function markKind(mark: string): string {
  if (/^\d/.test(mark)) return '1';
  return mark.startsWith('<') ? '<' : /^[a-zA-Z]/.test(mark) ? '..' : mark;
}

function itemText(blocks: readonly Block[], mark: string, marks: readonly string[], depth: number): string {
  const indent = marks
    .slice(0, depth)
    .map((one) => (one === '*' || one === '-' || /^\*+$/.test(one) ? '  ' : '   '))
    .join('');
  return listItem(indent + mark, blocks.map((block) => block.markdown).join('\n\n'));
}

export function skipEmpty(lines: readonly string[], from: number): number {
  let at = from;
  while (at < lines.length && ((lines[at] as string).trim() === '' || isComment(lines[at] as string))) at++;
  return at;
}
