import type { ExtractedDocument } from '../../document.ts';
import { plainText } from '../../split/plain-inline.ts';
import { Draft } from '../draft.ts';
import { outdented } from '../margin.ts';
import { admonition, calloutLabel, labelFirst } from '../markdown/callouts.ts';
import { missingFile } from '../write-markdown.ts';
import { attributeLine, type BlockAttributes, merged } from './block-attributes.ts';
import { decideConditions } from './conditionals.ts';
import { inlineMarkdown } from './inline.ts';
import { includedFile, isBlockMacro, isBlockStart, isBullet, isComment, isTerm, readList, readTerms } from './lists.ts';
import { AsciidocState } from './state.ts';
import { tableOf } from './table.ts';

/** Blocks nested deeper than this are read as plain text, which bounds stack and time for any input. */
const nestingMax = 16;

const admonitionStart = /^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+/;

/**
 * Extracts AsciiDoc: sections with their ids, code, tables, call-outs, lists, terms with their descriptions. Does not
 * follow includes; evaluates conditions with the file's attributes. Unknown syntax is read as text.
 */
export function extractAsciidoc(text: string, page: { url: string }): ExtractedDocument {
  const lines = text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\n|\r/)
    .map((line) => line.trimEnd());
  const draft = new Draft(page.url);
  const state = new AsciidocState(draft, readBlock);
  readBlocks(state, decideConditions(lines), 0);
  return draft.finish();
}

function readBlocks(state: AsciidocState, lines: readonly string[], nesting: number): void {
  if (nesting > nestingMax) return state.draft.addText('paragraph', lines.map((line) => line.trim()).join('\n'));
  let at = 0;
  while (at < lines.length) at = Math.max(readBlock(state, lines, at, nesting), at + 1);
}

function readBlock(state: AsciidocState, lines: readonly string[], at: number, nesting: number): number {
  const line = lines[at] as string;
  if (line === '' || line === '+' || isComment(line)) return at + 1;
  const attribute = /^:(!?)([\w-]+)(!?):(?:\s+(.*))?$/s.exec(line);
  if (attribute) return readAttribute(state, lines, at, attribute);
  const heading = headingAt(lines, at, nesting);
  if (heading) return addHeading(state, lines, heading);
  const attributes = attributeLine(line);
  if (attributes) {
    state.pending = merged(state.pending, attributes);
    return at + 1;
  }
  if (isBlockStart(line)) return readDelimited(state, lines, at, nesting);
  if (/^(?:'{3,}|-{3}|\*{3}|<{3,})$/.test(line)) return at + 1;
  if (isBlockMacro(line)) return readBlockMacro(state, line, at);
  if (nesting <= nestingMax && (isTerm(line) || isBullet(line))) {
    addTitle(state, state.takePending());
    return isTerm(line) ? readTerms(state, lines, at, nesting + 1) : readList(state, lines, at, nesting + 1);
  }
  return readParagraph(state, lines, at);
}

function readAttribute(state: AsciidocState, lines: readonly string[], at: number, match: RegExpExecArray): number {
  let value = match[4] ?? '';
  let next = at + 1;
  while (/ [\\+]$/.test(value) && next < lines.length && value.length < 2000)
    value = `${value.slice(0, -2)} ${(lines[next++] as string).trim()}`;
  if (match[1] === '' && match[3] === '') state.setAttribute(match[2] as string, value);
  else state.attributes.delete((match[2] as string).toLowerCase());
  return next;
}

interface Heading {
  depth: number;
  text: string;
  next: number;
}

const underlines = '=-~^+';

function headingAt(lines: readonly string[], at: number, nesting: number): Heading | undefined {
  const line = lines[at] as string;
  const marked = /^(={1,6}|#{1,6})\s+(\S.*)$/.exec(line);
  // Inside a block, such a line is part of an example.
  if (marked && nesting === 0)
    return {
      depth: (marked[1] as string).length,
      text: (marked[2] as string).replace(/(?<!\s)\s+=+$/, ''),
      next: at + 1,
    };
  const under = lines[at + 1] ?? '';
  const level = underlines.indexOf(under[0] ?? ' ');
  const isUnderlined =
    nesting === 0 &&
    level >= 0 &&
    under.length >= 3 &&
    Math.abs(under.length - line.length) <= 2 &&
    under === (under[0] as string).repeat(under.length) &&
    /^[\p{L}\p{N}{"'`(]/u.test(line) &&
    (lines[at - 1] ?? '').trim().replace(/^\[.*\]$|^\/\/.*$|^:.*$/, '') === '';
  return isUnderlined ? { depth: level + 1, text: line, next: at + 2 } : undefined;
}

function addHeading(state: AsciidocState, lines: readonly string[], heading: Heading): number {
  const { draft } = state;
  const pending = state.takePending();
  const own = /(?<!\s)\s*\[\[([^\s[\]]+)\]\]\s*$/.exec(heading.text);
  const markdown = inlineMarkdown(state, heading.text.slice(0, own?.index).replace(/^\[\[[^\]]*\]\]/, ''));
  const plain = plainText(markdown);
  const isTitle = heading.depth === 1 && draft.title === '';
  const anchor = own?.[1] ?? pending?.id ?? (isTitle ? undefined : state.sectionId(plain));
  draft.addHeading(markdown, heading.depth, anchor);
  state.heading = plain.toLowerCase();
  if (!isTitle) return heading.next;
  draft.title = plain;
  // Author and revision follow the title; attributes are read as usual.
  let at = heading.next;
  for (let count = 0; count < 2; count++) {
    const line = lines[at] ?? '';
    if (line === '' || line.startsWith(':') || line.startsWith('//') || lines[at + 1]?.startsWith('---')) break;
    at++;
  }
  return at;
}

/** Adds a block title as a separate line; the block's id is kept for the block. */
function addTitle(state: AsciidocState, attributes: BlockAttributes | undefined): void {
  if (attributes?.id !== undefined) state.draft.anchorNext(attributes.id);
  if (attributes?.title !== undefined)
    state.draft.addText('paragraph', `**${inlineMarkdown(state, attributes.title).replaceAll('**', '')}**`);
}

function readDelimited(state: AsciidocState, lines: readonly string[], at: number, nesting: number): number {
  const line = lines[at] as string;
  const isFence = line.startsWith('```');
  let end = at + 1;
  const close = isFence ? '```' : line;
  while (end < lines.length && lines[end] !== close) end++;
  const body = lines.slice(at + 1, end);
  const attributes = state.takePending();
  const char = line[0] as string;
  if (char === '/' || char === '+') return end + 1;
  const label = calloutLabel(attributes?.style.toUpperCase() === attributes?.style ? (attributes?.style ?? '') : '');
  const isText = '=*_'.includes(char) || line === '--';
  if (label === undefined || !isText) addTitle(state, attributes);
  if (isFence) state.draft.addCode(trimmed(body), line.slice(3).trim().toLowerCase());
  else if (line.endsWith('===') && '|,:!'.includes(char)) {
    const format = char === ',' ? 'csv' : char === ':' ? 'dsv' : undefined;
    const named = new Map([...(attributes?.named ?? []), ...(format ? [['format', format] as const] : [])]);
    const readCell = (cell: string[]) => {
      const blocks = state.captured(() => readBlocks(state, cell, nesting + 1));
      state.pending = undefined;
      return blocks;
    };
    state.draft.add({ type: 'table', markdown: tableOf(state, body, merged(attributes, { named }), readCell) });
  } else if (!isText || isCodeStyle(attributes)) addCode(state, body, attributes);
  else {
    const before = state.draft.blocks.length;
    readBlocks(state, body, nesting + 1);
    if (label !== undefined)
      labelFirst(state.draft, before, attributes?.title === undefined ? label : `${label}: ${attributes.title}`);
  }
  return end + 1;
}

function isCodeStyle(attributes: BlockAttributes | undefined): boolean {
  return ['source', 'listing', 'literal'].includes(attributes?.style ?? '') || isBareSource(attributes);
}

/** Returns true for `[,ruby]`, short for `[source,ruby]`. */
function isBareSource(attributes: BlockAttributes | undefined): boolean {
  return (
    attributes?.style === '' && /^[\w+#-]+$/.test(attributes.positional[1] ?? '') && attributes.positional[0] === ''
  );
}

function addCode(state: AsciidocState, body: readonly string[], attributes: BlockAttributes | undefined): void {
  const files = body.filter((line) => line.trim() !== '').map(includedFile);
  if (files.length > 0 && files.every((file) => file !== undefined)) {
    for (const file of files) state.draft.addText('paragraph', missingFile(state.substituted(file)));
    return;
  }
  const code = trimmed(
    attributes?.named.get('subs')?.includes('attributes') ? body.map((line) => state.substituted(line)) : body,
  );
  if (code === '') return;
  const isSource = attributes?.style === 'source' || isBareSource(attributes);
  const named = attributes?.named.get('language') ?? attributes?.positional[1] ?? '';
  const language = isSource ? named || (state.attributes.get('source-language') ?? '') : '';
  state.draft.addCode(code, /^[\w+#.-]{1,30}$/.test(language) ? language.toLowerCase() : '');
}

function trimmed(body: readonly string[]): string {
  return body.join('\n').replace(/^\n+/, '').trimEnd();
}

function readBlockMacro(state: AsciidocState, line: string, at: number): number {
  const file = includedFile(line);
  // Includes above the title, and files with such names, contain attributes only.
  if (file !== undefined && (state.draft.blocks.length === 0 || file.lastIndexOf('attributes') > file.lastIndexOf('/')))
    return at + 1;
  const attributes = state.takePending();
  if (file !== undefined) {
    addTitle(state, attributes);
    state.draft.addText('paragraph', missingFile(state.substituted(file)));
    return at + 1;
  }
  const macro = /^(image|video|audio)::[^[]*\[([^\],]*)/.exec(line);
  if (!macro) return at + 1;
  addTitle(state, attributes);
  state.draft.addText(
    'paragraph',
    /^[\w-]+=/.test(macro[2] as string) ? '' : (macro[2] as string).replace(/^"|"$/g, ''),
  );
  return at + 1;
}

function readParagraph(state: AsciidocState, lines: readonly string[], at: number): number {
  let end = at;
  const isStart = (index: number): boolean => {
    const line = lines[index] as string;
    return (
      isBlockStart(line) || line === '+' || includedFile(line) !== undefined || attributeLine(line)?.style !== undefined
    );
  };
  while (end < lines.length && lines[end] !== '' && (end === at || !isStart(end))) end++;
  const body = lines.slice(at, end).filter((line) => !isComment(line));
  const attributes = state.takePending();
  const style = attributes?.style ?? '';
  if (
    style === 'verse' ||
    style === 'synopsis' ||
    (style === '' && /^\s/.test(body[0] ?? '')) ||
    isCodeStyle(attributes)
  ) {
    addTitle(state, attributes);
    addPreformatted(state, body, attributes);
    return end;
  }
  const inline = admonitionStart.exec(body[0] ?? '');
  const text = body.map((line) => line.trim().replace(/\s\+$/, '  ')).join('\n');
  const label = inline
    ? calloutLabel(inline[1] as string)
    : style === style.toUpperCase()
      ? calloutLabel(style)
      : undefined;
  if (label === undefined) addTitle(state, attributes);
  const markdown = inlineMarkdown(state, inline ? text.slice(inline[0].length) : text).trim();
  if (label === undefined)
    state.draft.addText(style === 'quote' ? 'quote' : 'paragraph', style === 'quote' ? quoted(markdown) : markdown);
  else state.draft.addText('admonition', admonition(label, markdown));
  return end;
}

/** Adds verbatim lines: code, or a command's synopsis without its emphasis. */
function addPreformatted(state: AsciidocState, body: readonly string[], attributes: BlockAttributes | undefined): void {
  const isSynopsis =
    attributes?.style === 'synopsis' || (attributes?.style === 'verse' && state.heading === 'synopsis');
  if (attributes?.style === 'verse' && !isSynopsis) {
    state.draft.addText('paragraph', body.map((line) => inlineMarkdown(state, line)).join('  \n'));
    return;
  }
  const lines = outdented(body);
  if (isSynopsis)
    state.draft.addCode(lines.map((line) => state.substituted(line).replace(/['`_]([^'`_]+)['`_]/g, '$1')).join('\n'));
  else addCode(state, lines, attributes);
}

function quoted(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n');
}
