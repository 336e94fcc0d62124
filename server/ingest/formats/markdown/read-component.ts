import { markdownOfReference } from '../entities.ts';
import { codeSpan } from '../write-markdown.ts';
import { calloutLabel, componentLabel } from './callouts.ts';
import { emitText } from './emit.ts';
import { rewriteInline } from './inline.ts';
import { isBlank } from './lines.ts';
import { nestingMax } from './read-directive.ts';
import type { Scanner } from './scanner.ts';
import { attribute, type Tag, tagAt, targetOf } from './tags.ts';

/** A tag that spans more lines than this is read as text. */
const tagLinesMax = 40;
/** Maximum lines of a button's text. */
const linkLinesMax = 5;

/** Moves to line `index`, which now contains only `rest`. */
export function leaveAt(scanner: Scanner, index: number, rest: string): true {
  if (isBlank(rest)) scanner.at = index + 1;
  else {
    scanner.replace(index, rest.trimStart());
    scanner.at = index;
  }
  return true;
}

/** Returns the tag at the start of the line, including following lines if it is not closed on the first. */
export function openingTag(scanner: Scanner, trimmed: string): { tag?: Tag; rest: string; lastLine: number } {
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

/** Removes a component's tag and keeps its text: titles of tabs and cards, a call-out's label. */
export function readComponent(scanner: Scanner, tag: Tag, rest: string, lastLine: number): boolean {
  const isPlaceholder = tag.isSelfClosing || !/=\s*["'{]/.test(tag.attributes);
  if (!scanner.isMdx && !isBlank(rest) && !tag.isClosing && isPlaceholder) return false;
  if (treePart.test(tag.name) && attribute(tag, 'name') !== undefined) return readFileTree(scanner);
  const link = hasLinkInside(tag) ? readLink(scanner, tag, rest, lastLine) : undefined;
  if (link !== undefined) return link;
  if (!tag.isClosing) {
    const label = componentLabel(tag);
    const id = attribute(tag, 'id');
    const title =
      (parameterTag.test(tag.name) ? parameterOf(tag) : undefined) ??
      attribute(tag, 'label') ??
      attribute(tag, 'title') ??
      attribute(tag, 'summary') ??
      attribute(tag, 'text') ??
      (tag.name.endsWith('Icon') ? undefined : (attribute(tag, 'name') ?? parameterOf(tag)));
    if (id !== undefined) scanner.draft.anchorNext(id);
    if (label !== undefined) scanner.pendingLabel = label;
    else if (title !== undefined && title !== '') emitText(scanner, 'paragraph', `**${linked(scanner, tag, title)}**`);
    const beside = attribute(tag, 'description') ?? attribute(tag, 'caption');
    if (beside !== undefined) emitText(scanner, 'paragraph', beside);
  } else if (calloutLabel(tag.name) !== undefined) scanner.pendingLabel = undefined;
  return leaveAt(scanner, lastLine, rest);
}

/** Returns a card's title, as a link if the card has a target. */
function linked(scanner: Scanner, tag: Tag, title: string): string {
  const href = targetOf(tag);
  return href === undefined
    ? title.replace(/&#?\w{1,8};/g, markdownOfReference)
    : rewriteInline(`[${title}](${href})`, scanner.context);
}

/** Returns the parameter that a tag documents, with its details: `<ParamField path="limit" type="number">`. */
export function parameterOf(tag: Tag): string | undefined {
  const key = ['path', 'query', 'body', 'header', 'name'].find((one) => attribute(tag, one) !== undefined);
  const name = key === undefined ? undefined : attribute(tag, key);
  if (name === undefined) return undefined;
  const value =
    attribute(tag, 'default') ?? /(?:^|\s)default\s*=\s*\{([^{}]{1,100})\}/.exec(tag.attributes)?.[1]?.trim();
  const isRequired = /(?:^|\s)required(?:\s*=\s*(?:\{\s*true\s*\}|["']true["']))?(?=\s|$)/.test(tag.attributes);
  const facts = [
    attribute(tag, 'in') ?? (/^(?:query|body|header)$/.test(key ?? '') ? key : undefined),
    attribute(tag, 'type'),
    isRequired ? 'required' : undefined,
    value === undefined ? undefined : `default ${value}`,
    /(?:^|\s)deprecated(?:\s*=\s*(?:\{\s*true\s*\}|["']true["']))?(?=\s|$)/.test(tag.attributes)
      ? 'deprecated'
      : undefined,
  ];
  const known = facts.filter((fact) => fact !== undefined && fact !== '');
  return known.length === 0 ? name : `${name} (${known.join(', ')})`;
}

const parameterTag = /^(?:Param|Parameter|Response|Property|Prop)Field$|^(?:Parameter|Property|Param|Prop)$/;

/** Components of a file tree: `<FileTree.Folder name="src">`, `<File name="a.ts" />`. */
const treePart = /^(?:\w+\.)?(?:File|Folder)$/;

/** Reads the file tree that starts at the current line as a nested list. */
function readFileTree(scanner: Scanner): true {
  const items: string[] = [];
  let depth = 0;
  while (!scanner.isAtEnd) {
    const line = scanner.line(scanner.at);
    if (line === undefined) break;
    if (isBlank(line) && depth > 0) {
      scanner.at++;
      continue;
    }
    const { tag, rest, lastLine } = openingTag(scanner, line.trimStart());
    if (!tag || !treePart.test(tag.name)) break;
    const name = attribute(tag, 'name') ?? '';
    if (!tag.isClosing && name !== '') items.push(`${'  '.repeat(Math.min(depth, nestingMax))}- ${codeSpan(name)}`);
    if (tag.isClosing) depth = Math.max(0, depth - 1);
    else if (!tag.isSelfClosing) depth += 1;
    leaveAt(scanner, lastLine, rest);
  }
  emitText(scanner, 'list', items.join('\n'));
  return true;
}

/** Returns true for a component with a link target whose only text is its content, such as a button. */
function hasLinkInside(tag: Tag): boolean {
  const isNamed = ['label', 'title'].some((name) => attribute(tag, name) !== undefined);
  return !tag.isClosing && !tag.isSelfClosing && !isNamed && targetOf(tag) !== undefined;
}

/**
 * Reads a link that spans several lines; returns false if its text is part of a paragraph, undefined if it contains
 * more than text.
 */
function readLink(scanner: Scanner, tag: Tag, rest: string, lastLine: number): boolean | undefined {
  const close = `</${tag.name}>`;
  if (rest.includes(close)) return false;
  const more = scanner.lines.slice(lastLine + 1, lastLine + linkLinesMax);
  const end = more.findIndex((line) => line.includes(close) || !/^\s*[\p{L}\p{N}]/u.test(line));
  if (end < 0 || more[end]?.trim() !== close) return undefined;
  const label = [rest, ...more.slice(0, end)].map((line) => line.trim()).join('\n');
  emitText(scanner, 'paragraph', linked(scanner, tag, label.trim()));
  return leaveAt(scanner, lastLine + 1 + end, '');
}
