import { decodeEntities } from '../entities.ts';
import { containerMark } from './block-starts.ts';
import { emitHeading, emitPendingLabel, emitText } from './emit.ts';
import { rewriteInline } from './inline.ts';
import { atxHeading, fenceStart, isBlank } from './lines.ts';
import { leaveAt, openingTag, readComponent } from './read-component.ts';
import { htmlTable } from './read-table.ts';
import type { Scanner } from './scanner.ts';
import { attribute, isBlockElement, isComponent, type Tag } from './tags.ts';

const headingLinesMax = 10;

/** Reads HTML or a component that starts at the current line; returns false for ordinary text. */
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

function skipComment(scanner: Scanner, trimmed: string): boolean {
  const close = scanner.notFound.has('-->') ? -1 : trimmed.indexOf('-->', 4);
  if (close >= 0) return leaveAt(scanner, scanner.at, trimmed.slice(close + 3));
  const end = scanner.find('-->', scanner.at + 1);
  if (end < 0) return leaveAt(scanner, scanner.at, trimmed.slice(4));
  const line = scanner.lines[end] as string;
  return leaveAt(scanner, end, line.slice(line.indexOf('-->') + 3));
}

function skipElement(scanner: Scanner, name: string): boolean {
  const end = scanner.find(`</${name}`, scanner.at);
  if (end < 0) return false;
  const line = scanner.lines[end] as string;
  const close = line.indexOf('>', line.toLowerCase().indexOf(`</${name}`));
  return leaveAt(scanner, end, close < 0 ? '' : line.slice(close + 1));
}

/**
 * Returns the text of the element that opens at the current line and the text after its end; undefined if it is never
 * closed.
 */
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
  const code = decodeEntities(found.text.slice(tag.end).replace(/<\/?[a-z][^<>]*>/gi, ''))
    .replace(/^\n/, '')
    .trimEnd();
  emitPendingLabel(scanner);
  if (code.trim() !== '') scanner.draft.addCode(code, language.toLowerCase());
  return leaveAt(scanner, found.end, found.rest);
}

function readHtmlTable(scanner: Scanner): boolean {
  const found = element(scanner, 'table');
  // A table that only lays out Markdown is read as Markdown.
  if (!found || /^[ \t]*(?:```|~~~)/m.test(found.text)) return false;
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

/** Reads HTML as text up to the next empty line or the next element with a separate reader. */
function readHtmlText(scanner: Scanner): void {
  const lines: string[] = [];
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined && !isBlank(line); line = scanner.line(++end)) {
    const hasReader = fenceStart(line) || atxHeading(line) || containerMark(line) || ownReader.test(line);
    if (end > scanner.at && (hasReader || (scanner.isMdx && /^\s*<[A-Z]/.test(line)))) break;
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
