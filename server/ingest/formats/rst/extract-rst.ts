import type { ExtractedDocument } from '../../document.ts';
import { plainText } from '../../split/plain-inline.ts';
import { Draft } from '../draft.ts';
import { directiveAt } from './directive.ts';
import { readDirective } from './directives.ts';
import { inlineMarkdown } from './inline.ts';
import { readAnyList, readDefinition } from './lists.ts';
import { indentOf, isEmpty, normalName, plainTextId, RstState } from './state.ts';
import { gridTable, simpleTable } from './tables.ts';

/** Blocks nested deeper than this are read as plain text, which bounds stack and time for any input. */
const nestingMax = 24;

/**
 * Extracts reStructuredText as written for Sphinx and docutils: sections, lists, tables, code, call-outs, and
 * descriptions of functions and options as terms with their anchors. Unknown syntax is read as text.
 */
export function extractRst(text: string, page: { url: string }): ExtractedDocument {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.replaceAll('\t', '        ').trimEnd());
  const draft = new Draft(page.url);
  readRst(lines, draft);
  return draft.finish();
}

/** Reads RST lines (without tabs and trailing spaces) into a document. */
export function readRst(lines: string[], draft: Draft): void {
  let nesting = 0;
  const state = new RstState(lines, draft, (inner, from, to, indent) => {
    if (++nesting > nestingMax)
      draft.addText(
        'paragraph',
        lines
          .slice(from, to)
          .map((line) => line.trim())
          .join('\n'),
      );
    else readBlocks(inner, from, to, indent);
    nesting--;
  });
  collectDefinitions(state);
  state.read(state, 0, lines.length, 0);
}

/** Collects targets and substitutions first, because they may be used before they are defined. */
function collectDefinitions(state: RstState): void {
  for (const [at, line] of state.lines.entries()) {
    const text = line.trimStart();
    if (!text.startsWith('.. ')) continue;
    const target = /^\.\. _(?:`([^`]+)`|((?:[^:\\`]|\\.|:(?=\S))+)):(?:\s+(\S.*))?$/.exec(text);
    if (target) state.targets.set(normalName(target[1] ?? target[2] ?? ''), (target[3] ?? '').trim());
    const [, name, kind, written = ''] = /^\.\. \|([^|]+)\| ([\w-]+)::\s*(.*)$/s.exec(text) ?? [];
    if (name === undefined || kind === undefined) continue;
    const value = kind === 'image' ? textOfPicture(state, at) : written || (state.lines[at + 1] ?? '').trim();
    state.substitutions.set(normalName(name), substitutionOf(kind, value));
  }
}

/** Returns the alternative text of the image defined on line `at`. */
function textOfPicture({ lines }: RstState, at: number): string {
  for (let option = at + 1; /^\s+:/.test(lines[option] ?? ''); option++) {
    const [, alt] = /^\s+:alt:\s*(\S.*)/.exec(lines[option]!) ?? [];
    if (alt !== undefined) return alt.trimEnd();
  }
  return '';
}

/** Returns a substitution's text without images: `unicode` contains character codes and a comment. */
function substitutionOf(kind: string, value: string): string {
  if (kind === 'replace' || kind === 'image') return value;
  if (kind !== 'unicode') return '';
  const [text = ''] = value.split(/(?:^|\s)\.\.(?:\s|$)/, 1);
  const written = text.split(/\s+/).map((word) => ({ word, sign: signOf(word) }));
  return written.reduce((out, { word, sign }, at) => {
    const isBesideWord = at > 0 && sign === undefined && written[at - 1]?.sign === undefined;
    return out + (isBesideWord ? ' ' : '') + (sign ?? word);
  }, '');
}

/** Returns the character for a code such as `U+2014`, `0xA9` or `169`; undefined for other words. */
function signOf(word: string): string | undefined {
  const [, hex, decimal] = /^(?:(?:0x|x|\\x|U\+|u|\\u|&#x)([0-9a-f]{2,8});?|(\d{2,7}))$/i.exec(word) ?? [];
  const code = hex === undefined ? Number(decimal ?? 0) : Number.parseInt(hex, 16);
  const isSurrogate = code >= 0xd800 && code <= 0xdfff;
  return code > 0 && code <= 0x10ffff && !isSurrogate ? String.fromCodePoint(code) : undefined;
}

function readBlocks(state: RstState, from: number, to: number, indent: number): void {
  let at = from;
  while (at < to) {
    const line = state.lines[at] as string;
    const next = isEmpty(line) ? at + 1 : readBlock(state, line, at, to, indent);
    at = Math.max(next, at + 1);
  }
}

function readBlock(state: RstState, line: string, at: number, to: number, indent: number): number {
  const lineIndent = indentOf(line);
  if (lineIndent > indent) {
    const end = state.bodyEnd(at, to, indent);
    state.read(state, at, end, state.indentBetween(at, end));
    return end;
  }
  const text = line.slice(lineIndent);
  if (text.startsWith('..') && (text.length === 2 || text[2] === ' ')) return readExplicit(state, at, to, lineIndent);
  if (text.startsWith('__ ')) return at + 1;
  const title = readTitle(state, at, to, lineIndent);
  if (title > at) return title;
  const table = readTable(state, at, to, lineIndent);
  if (table > at) return table;
  if (text.startsWith('>>> ')) return readDoctest(state, at, to);
  if (text.startsWith('| ')) return readLineBlock(state, at, to);
  const list = readAnyList(state, at, to, lineIndent);
  if (list > at) return list;
  const next = state.lines[at + 1] ?? '';
  const isTerm = at + 1 < to && !isEmpty(next) && indentOf(next) > lineIndent && !text.endsWith('::');
  return isTerm ? readDefinition(state, at, to, lineIndent) : readParagraph(state, at, to, lineIndent);
}

function readExplicit(state: RstState, at: number, to: number, indent: number): number {
  const text = (state.lines[at] as string).slice(indent);
  const end = state.bodyEnd(at + 1, to, indent);
  const target = /^\.\. _(?:`([^`]+)`|([^:`]+)):\s*$/.exec(text);
  if (target) {
    state.draft.anchorNext(plainTextId(target[1] ?? target[2] ?? ''));
    return at + 1;
  }
  if (text.startsWith('.. |') || text.startsWith('.. _')) return end;
  const note = /^\.\. (\[[^\]]{1,40}\])\s*(.*)$/s.exec(text);
  if (note) {
    const body = [note[2] as string, ...state.outdented(at + 1, end)].join('\n').trim();
    state.draft.addText('paragraph', `${note[1]} ${inlineMarkdown(state, body)}`);
    return end;
  }
  const directive = directiveAt(state, at, to, indent);
  if (directive) readDirective(state, directive);
  return end;
}

/** Returns the punctuation character of a line that repeats only that one. */
function adornment(line: string): string | undefined {
  const first = line[0];
  if (first === undefined || line.length < 2 || /[\s\p{L}\p{N}]/u.test(first)) return undefined;
  for (const char of line) if (char !== first) return undefined;
  return first;
}

function readTitle(state: RstState, at: number, to: number, indent: number): number {
  if (indent > 0) return at;
  const [first = '', second = '', third = ''] = state.lines.slice(at, Math.min(to, at + 3));
  const over = adornment(first);
  if (over !== undefined) {
    const isTitle = !isEmpty(second) && adornment(third) === over && third.length >= 3;
    if (isTitle) addTitle(state, second.trim(), `${over}${over}`);
    else if (first.length < 4 || !isEmpty(second)) return at;
    return at + (isTitle ? 3 : 1);
  }
  const under = adornment(second);
  const isLongEnough = second.length >= Math.min(first.length, 4);
  // Two dots or colons alone start comments and code.
  if (under === undefined || second === '..' || second === '::' || !isLongEnough) return at;
  addTitle(state, first.trim(), under);
  return at + 2;
}

function addTitle(state: RstState, text: string, style: string): void {
  let depth = state.titleStyles.indexOf(style) + 1;
  if (depth === 0) depth = state.titleStyles.push(style);
  const markdown = inlineMarkdown(state, text);
  const plain = plainText(markdown);
  state.draft.addHeading(markdown, Math.min(depth, 6), state.slug(plain));
  if (state.draft.title === '') state.draft.title = plain;
}

function readTable(state: RstState, at: number, to: number, indent: number): number {
  const line = (state.lines[at] as string).slice(indent);
  let end = at + 1;
  if (/^\+(?:-+\+)+$/.test(line)) {
    while (end < to && /^[+|]/.test((state.lines[end] as string).slice(indent))) end++;
    state.draft.add({
      type: 'table',
      markdown: gridTable(
        state,
        state.lines.slice(at, end).map((row) => row.slice(indent)),
      ),
    });
    return end;
  }
  if (!/^=+(?:\s+=+)+$/.test(line)) return at;
  let borders = 1;
  while (end < to && borders < 3) {
    const row = state.lines[end] as string;
    if (!isEmpty(row) && indentOf(row) < indent) break;
    end++;
    if (!/^\s*=+(?:\s+=+)+$/.test(row)) continue;
    borders++;
    // The second border ends a table without a header if it is followed by an empty line or the end.
    if (borders === 2 && (end >= to || isEmpty(state.lines[end] as string))) break;
  }
  state.draft.add({
    type: 'table',
    markdown: simpleTable(
      state,
      state.lines.slice(at, end).map((row) => row.slice(indent)),
    ),
  });
  return end;
}

function readDoctest(state: RstState, at: number, to: number): number {
  let end = at;
  while (end < to && !isEmpty(state.lines[end] as string)) end++;
  state.draft.addCode(state.outdented(at, end).join('\n'), 'python');
  return end;
}

function readLineBlock(state: RstState, at: number, to: number): number {
  const lines: string[] = [];
  let end = at;
  for (; end < to && !isEmpty(state.lines[end] as string); end++)
    lines.push((state.lines[end] as string).trim().replace(/^\|\s?/, ''));
  state.draft.addText('paragraph', inlineMarkdown(state, lines.join('\n')));
  return end;
}

function readParagraph(state: RstState, at: number, to: number, indent: number): number {
  const lines: string[] = [];
  let end = at;
  for (; end < to && !isEmpty(state.lines[end] as string); end++) {
    const line = state.lines[end] as string;
    if (end > at && (indentOf(line) < indent || (indentOf(line) > indent && lines.at(-1)?.endsWith('::')))) break;
    lines.push(line.trim());
  }
  const text = lines.join('\n');
  if (!text.endsWith('::')) {
    state.draft.addText('paragraph', inlineMarkdown(state, text));
    return end;
  }
  const lead = text === '::' ? '' : /\s::$/.test(text) ? text.slice(0, -2).trim() : text.slice(0, -1);
  state.draft.addText('paragraph', inlineMarkdown(state, lead));
  return readLiteral(state, end, to, indent);
}

/** Reads code after a paragraph that ends in `::`, marked by indentation or by the same character on every line. */
function readLiteral(state: RstState, from: number, to: number, indent: number): number {
  let start = from;
  while (start < to && isEmpty(state.lines[start] as string)) start++;
  let end = state.bodyEnd(start, to, indent);
  const quote = /^[>|$#%!]/.exec((state.lines[start] ?? '').trim())?.[0];
  if (end === start && quote !== undefined)
    while (end < to && (state.lines[end] as string).trim().startsWith(quote)) end++;
  if (end > start)
    state.draft.addCode(state.outdented(start, end).join('\n'), state.language === 'none' ? '' : state.language);
  return end;
}
