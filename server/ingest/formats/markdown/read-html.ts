import { decodeEntities, markdownOfReference } from '../entities.ts';
import { containerMark } from './block-starts.ts';
import { calloutLabel, componentLabel } from './callouts.ts';
import { emitHeading, emitPendingLabel, emitText } from './emit.ts';
import { rewriteInline } from './inline.ts';
import { atxHeading, fenceStart, isBlank } from './lines.ts';
import { htmlTable } from './read-table.ts';
import type { Scanner } from './scanner.ts';
import { attribute, isBlockElement, isComponent, type Tag, tagAt } from './tags.ts';

/** A tag that goes on over more lines than this is not read as one. */
const tagLinesMax = 40;
const headingLinesMax = 10;

/** Reads HTML or a component that starts at the current line; false when it is ordinary text. */
export function readHtml(scanner: Scanner, line: string): boolean {
  const trimmed = line.trimStart();
  if (trimmed.startsWith('<!--')) return skipComment(scanner, trimmed);
  if (/^<(?:!doctype|\?xml)/i.test(trimmed)) return leaveAt(scanner, scanner.at, '');
  const { tag, rest, lastLine } = openingTag(scanner, trimmed);
  if (!tag) return false;
  const name = tag.name.toLowerCase();
  if (isComponent(tag.name) || tag.name === '') return readComponent(scanner, tag, rest, lastLine);
  if (!isBlockElement(name)) return false;
  if (!tag.isClosing && !tag.isSelfClosing) {
    if (name === 'script' || name === 'style' || name === 'template' || name === 'svg') {
      if (skipElement(scanner, name)) return true;
    } else if (name === 'pre') {
      if (readPre(scanner, tag)) return true;
    } else if (name === 'table') {
      if (readHtmlTable(scanner)) return true;
    } else if (/^h[1-6]$/.test(name) && readHtmlHeading(scanner, tag)) return true;
  }
  readHtmlText(scanner);
  return true;
}

/** Goes to line `index`, of which only `rest` is left. */
function leaveAt(scanner: Scanner, index: number, rest: string): true {
  if (isBlank(rest)) scanner.at = index + 1;
  else {
    scanner.replace(index, rest.trimStart());
    scanner.at = index;
  }
  return true;
}

function skipComment(scanner: Scanner, trimmed: string): boolean {
  const close = scanner.notFound.has('-->') ? -1 : trimmed.indexOf('-->', 4);
  if (close >= 0) return leaveAt(scanner, scanner.at, trimmed.slice(close + 3));
  const end = scanner.find('-->', scanner.at + 1);
  if (end < 0) return leaveAt(scanner, scanner.at, trimmed.slice(4));
  const line = scanner.lines[end] as string;
  return leaveAt(scanner, end, line.slice(line.indexOf('-->') + 3));
}

/** The tag at the start of the line, read on over the following lines where it is not closed on its own. */
function openingTag(scanner: Scanner, trimmed: string): { tag?: Tag; rest: string; lastLine: number } {
  const tag = tagAt(trimmed, 0);
  if (tag) return { tag, rest: trimmed.slice(tag.end), lastLine: scanner.at };
  let text = trimmed;
  const isOpen = /^<[A-Za-z][\w.:-]*(?:\s|$)/.test(trimmed);
  for (let index = scanner.at + 1; isOpen && index < scanner.at + tagLinesMax; index++) {
    const line = scanner.line(index);
    if (line === undefined) break;
    text += `\n${line}`;
    const long = line.includes('>') ? tagAt(text, 0) : undefined;
    if (long) return { tag: long, rest: text.slice(long.end), lastLine: index };
  }
  return { rest: '', lastLine: scanner.at };
}

/** Takes a component's tag away and keeps what it says: titles of tabs and cards, the label of a call-out. */
function readComponent(scanner: Scanner, tag: Tag, rest: string, lastLine: number): boolean {
  const isPlaceholder = tag.isSelfClosing || !/=\s*["'{]/.test(tag.attributes);
  if (!scanner.isMdx && !isBlank(rest) && !tag.isClosing && isPlaceholder) return false;
  if (!tag.isClosing) {
    const label = componentLabel(tag);
    const id = attribute(tag, 'id');
    const title =
      (parameterTag.test(tag.name) ? parameterOf(tag) : undefined) ??
      attribute(tag, 'label') ??
      attribute(tag, 'title') ??
      attribute(tag, 'summary') ??
      attribute(tag, 'name') ??
      parameterOf(tag);
    if (id !== undefined) scanner.draft.anchorNext(id);
    if (label !== undefined) scanner.pendingLabel = label;
    else if (title !== undefined && title !== '') emitText(scanner, 'paragraph', `**${linked(scanner, tag, title)}**`);
    const beside = attribute(tag, 'description') ?? attribute(tag, 'caption');
    if (beside !== undefined) emitText(scanner, 'paragraph', beside);
  } else if (calloutLabel(tag.name) !== undefined) scanner.pendingLabel = undefined;
  return leaveAt(scanner, lastLine, rest);
}

/** The title of a card that leads to a page. */
function linked(scanner: Scanner, tag: Tag, title: string): string {
  const href = attribute(tag, 'href') ?? attribute(tag, 'to');
  return href === undefined
    ? title.replace(/&#?\w{1,8};/g, markdownOfReference)
    : rewriteInline(`[${title}](${href})`, scanner.context);
}

/** Components that document one parameter: `<ParamField path="limit" type="number">`. */
function parameterOf(tag: Tag): string | undefined {
  const name = ['path', 'query', 'body', 'header', 'name']
    .map((key) => attribute(tag, key))
    .find((one) => one !== undefined);
  if (name === undefined) return undefined;
  const value =
    attribute(tag, 'default') ?? /(?:^|\s)default\s*=\s*\{([^{}]{1,100})\}/.exec(tag.attributes)?.[1]?.trim();
  const isRequired = /(?:^|\s)required(?:\s*=\s*(?:\{\s*true\s*\}|["']true["']))?(?=\s|$)/.test(tag.attributes);
  const facts = [
    attribute(tag, 'type'),
    isRequired ? 'required' : undefined,
    value === undefined ? undefined : `default ${value}`,
  ];
  const known = facts.filter((fact) => fact !== undefined && fact !== '');
  return known.length === 0 ? name : `${name} (${known.join(', ')})`;
}

const parameterTag = /^(?:Param|Parameter|Response|Property|Prop)Field$|^(?:Parameter|Property|Param|Prop)$/;

function skipElement(scanner: Scanner, name: string): boolean {
  const end = scanner.find(`</${name}`, scanner.at);
  if (end < 0) return false;
  const line = scanner.lines[end] as string;
  const close = line.indexOf('>', line.toLowerCase().indexOf(`</${name}`));
  return leaveAt(scanner, end, close < 0 ? '' : line.slice(close + 1));
}

/** Text of the element that opens at the current line, with what follows its end; undefined when it is never closed. */
function element(
  scanner: Scanner,
  name: string,
  linesMax?: number,
): { text: string; end: number; rest: string } | undefined {
  const end = scanner.find(`</${name}`, scanner.at, linesMax);
  if (end < 0) return undefined;
  const text = scanner.lines
    .slice(scanner.at, end + 1)
    .join('\n')
    .trimStart();
  const close = text.toLowerCase().lastIndexOf(`</${name}`);
  const after = text.indexOf('>', close);
  return { text: text.slice(0, close), end, rest: after < 0 ? '' : text.slice(after + 1) };
}

function readPre(scanner: Scanner, tag: Tag): boolean {
  const found = element(scanner, 'pre');
  if (!found) return false;
  const language =
    /(?:language|lang|highlight)-([\w+#-]+)/.exec(found.text.slice(0, 300))?.[1] ?? attribute(tag, 'lang') ?? '';
  const code = decodeEntities(found.text.slice(tag.end).replace(/<\/?[a-z][^<>]*>/gi, '')).replace(/^\n|\s+$/g, '');
  emitPendingLabel(scanner);
  if (code.trim() !== '') scanner.draft.addCode(code, language.toLowerCase());
  return leaveAt(scanner, found.end, found.rest);
}

function readHtmlTable(scanner: Scanner): boolean {
  const found = element(scanner, 'table');
  // A table that only lays out Markdown is read as that.
  if (!found || /^\s*(?:```|~~~)/m.test(found.text)) return false;
  emitPendingLabel(scanner);
  scanner.draft.add({ type: 'table', markdown: htmlTable(found.text, scanner.context) });
  return leaveAt(scanner, found.end, found.rest);
}

function readHtmlHeading(scanner: Scanner, tag: Tag): boolean {
  const found = element(scanner, tag.name.toLowerCase(), headingLinesMax);
  if (!found) return false;
  const id = attribute(tag, 'id');
  const text = found.text.slice(tag.end);
  emitHeading(
    scanner,
    Number(tag.name[1]),
    `${text.replace(/\s+/g, ' ').trim()}${id === undefined ? '' : ` {#${id}}`}`,
  );
  return leaveAt(scanner, found.end, found.rest);
}

/** Reads HTML up to the next empty line, or the next thing that has a reader of its own, as text. */
function readHtmlText(scanner: Scanner): void {
  const lines: string[] = [];
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined && !isBlank(line); line = scanner.line(++end)) {
    if (end > scanner.at && (fenceStart(line) || atxHeading(line) || containerMark(line) || ownReader.test(line)))
      break;
    lines.push(line.trim());
  }
  const text = rewriteInline(lines.join('\n'), scanner.context);
  for (const part of text.split(/\n\s*\n/)) {
    const tidy = part.replace(/\n[ \t]+/g, '\n').trim();
    emitText(scanner, tidy.startsWith('- ') ? 'list' : 'paragraph', tidy);
  }
  scanner.at = end;
}

const ownReader = /^\s*<(?:table|pre|script|style|svg|h[1-6]|!--)\b/i;
