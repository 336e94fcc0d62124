import { markdownOfReference } from '../entities.ts';
import { codeSpan } from '../write-markdown.ts';
import { calloutLabel, componentLabel } from './callouts.ts';
import { emitText } from './emit.ts';
import { rewriteInline } from './inline.ts';
import { isBlank } from './lines.ts';
import { nestingMax } from './read-directive.ts';
import type { Scanner } from './scanner.ts';
import { attribute, type Tag, tagAt, targetOf } from './tags.ts';

/** A tag that goes on over more lines than this is not read as one. */
const tagLinesMax = 40;
/** Lines of the text of a button. */
const linkLinesMax = 5;

/** Goes to line `index`, of which only `rest` is left. */
export function leaveAt(scanner: Scanner, index: number, rest: string): true {
  if (isBlank(rest)) scanner.at = index + 1;
  else {
    scanner.replace(index, rest.trimStart());
    scanner.at = index;
  }
  return true;
}

/** The tag at the start of the line, read on over the following lines where it is not closed on its own. */
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

/** Takes a component's tag away and keeps what it says: titles of tabs and cards, the label of a call-out. */
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

/** The title of a card that leads to a page. */
function linked(scanner: Scanner, tag: Tag, title: string): string {
  const href = targetOf(tag);
  return href === undefined
    ? title.replace(/&#?\w{1,8};/g, markdownOfReference)
    : rewriteInline(`[${title}](${href})`, scanner.context);
}

/** Names the parameter that a tag documents, with what is known of it: `<ParamField path="limit" type="number">`. */
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

/** Components of a tree of files: `<FileTree.Folder name="src">`, `<File name="a.ts" />`. */
const treePart = /^(?:\w+\.)?(?:File|Folder)$/;

/** Reads the tree of files that begins at the current line as a nested list. */
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

/** A component that leads to a page and has no other text than what stands in it, such as a button. */
function hasLinkInside(tag: Tag): boolean {
  const isNamed = ['label', 'title'].some((name) => attribute(tag, name) !== undefined);
  return !tag.isClosing && !tag.isSelfClosing && !isNamed && targetOf(tag) !== undefined;
}

/** Reads a link over a few lines; false where its text is part of a paragraph, undefined where it is not text alone. */
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
