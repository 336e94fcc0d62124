import { containerMark, interruptsParagraph } from './block-starts.ts';
import { calloutLabel } from './callouts.ts';
import { emitText, rewriteLines } from './emit.ts';
import { rewriteInline } from './inline.ts';
import {
  endsFence,
  fenceBehindMarks,
  fenceStart,
  indentOf,
  isBlank,
  isFenceEnd,
  isThematicBreak,
  listMarker,
  outdent,
} from './lines.ts';
import { colonDirective, isMystDirective, nestingMax } from './read-directive.ts';
import type { Scanner } from './scanner.ts';

/** Reads a list with all its nested content as one block. */
export function readList(scanner: Scanner, marker: { indent: number; kind: string }): void {
  const lines: string[] = [];
  const containers: number[] = [];
  let fence: string | undefined;
  let isAfterBlank = false;
  let end = scanner.at;
  for (let line = scanner.line(end); line !== undefined; line = scanner.line(++end)) {
    if (isBlank(line)) {
      isAfterBlank = true;
      lines.push('');
      continue;
    }
    // Some formatters indent the end of the surrounding container.
    if (fence === undefined && containers.length === 0 && /^ {1,3}:{3,}[ \t]*$/.test(line)) break;
    const isInside = indentOf(line) > marker.indent;
    if (fence === undefined) {
      if (!isInside && !(isSibling(line, marker) || (!isAfterBlank && end > scanner.at && !interruptsParagraph(line))))
        break;
      if (isInside && opensContainer(line)) containers.push(lines.length);
      fence = fenceStart(line)?.mark;
    } else if (isFenceEnd(line, fence)) fence = undefined;
    else if (!isInside) break;
    isAfterBlank = false;
    lines.push(outdent(line, marker.indent));
  }
  while (lines.at(-1) === '') lines.pop();
  scanner.at = end;
  emitText(scanner, 'list', tidy(rewriteItems(scanner, lines, containers).trimEnd()));
}

/** Returns true if this line of an item starts a container such as a call-out, a tab or a directive. */
function opensContainer(line: string): boolean {
  const trimmed = line.trimStart();
  switch (trimmed[0]) {
    case '`':
    case '~':
      return isMystDirective(fenceStart(trimmed)?.info ?? '');
    case '>':
      return calloutStart.test(trimmed.slice(1));
    case ':':
    case '!':
    case '?':
    case '=':
    case '{':
      return colonDirective(trimmed) !== undefined || containerMark(trimmed)?.isClosing === false;
    default:
      return false;
  }
}

/** Rewrites a list's inline Markdown; from a container on, the item's content is read block by block. */
function rewriteItems(scanner: Scanner, lines: readonly string[], containers: readonly number[]): string {
  if (containers.length === 0 || scanner.page.nesting >= nestingMax) return rewriteLines(scanner, lines);
  const parts: string[] = [];
  let done = 0;
  for (const from of containers) {
    if (from < done) continue;
    const indent = indentOf(lines[from] as string);
    let end = from + 1;
    while (end < lines.length && (isBlank(lines[end] as string) || indentOf(lines[end] as string) >= indent)) end++;
    const inside = scanner.readApart(lines.slice(from, end).map((line) => outdent(line, indent)));
    parts.push(rewriteLines(scanner, lines.slice(done, from)));
    if (inside !== '') parts.push(inside.replace(/^(?=.)/gm, ' '.repeat(indent)), '');
    done = end;
  }
  return [...parts, rewriteLines(scanner, lines.slice(done))].join('\n').trimEnd();
}

function isSibling(line: string, marker: { indent: number; kind: string }): boolean {
  const other = listMarker(line);
  return other !== undefined && other.kind === marker.kind && !isThematicBreak(line);
}

/** Returns an empty string if no item has any text, as in a list of badges. */
function tidy(list: string): string {
  return /[\p{L}\p{N}]/u.test(list) ? list : '';
}

const calloutStart = /^\s*\[!([\w-]+)\][+-]?\s*(.*)$/s;
const boldLabel = /^\s*(?:\*\*|__)([A-Za-z ]{3,20}):?(?:\*\*|__)/;

/** Reads a quote. A call-out written as a quote is read as separate blocks, of which the first gets the label. */
export function readQuote(scanner: Scanner): void {
  const lines: string[] = [];
  let end = scanner.at;
  let fence: ReturnType<typeof fenceBehindMarks>;
  for (let line = scanner.line(end); line !== undefined && !isBlank(line); line = scanner.line(++end)) {
    const trimmed = line.trimStart();
    const isCode = fence !== undefined;
    if (fence === undefined) fence = fenceBehindMarks(line);
    else if (endsFence(line, fence)) fence = undefined;
    // Another call-out directly below is separate.
    if (end > scanner.at && !isCode && trimmed[0] === '>' && calloutStart.test(trimmed.slice(1))) break;
    if (trimmed[0] === '>') lines.push(trimmed.slice(trimmed[1] === ' ' ? 2 : 1));
    else if (interruptsParagraph(line)) break;
    else lines.push(trimmed);
  }
  const callout = calloutStart.exec(lines[0] as string);
  if (callout) {
    const [, name = '', title = ''] = callout;
    // Words after the mark that form a sentence or the whole content are text rather than a title.
    const isText = /[.!?:](?:\s|$)/.test(title) || lines.slice(1).every(isBlank);
    lines[0] = isText ? title : '';
    for (const [index, line] of lines.entries()) scanner.replace(scanner.at + index, line);
    const said = isText ? '' : rewriteInline(title, scanner.context, ' ').replaceAll('**', '');
    scanner.pendingLabel = calloutLabel(name, said) ?? (said || name);
    if (!isText) scanner.at++;
    return;
  }
  const text = rewriteLines(scanner, lines);
  const label = boldLabel.exec(text)?.[1];
  const quote = text.split('\n').map((line) => (line === '' ? '>' : `> ${line}`));
  scanner.at = end;
  if (isBlank(text)) return;
  emitText(
    scanner,
    label !== undefined && calloutLabel(label) !== undefined ? 'admonition' : 'quote',
    quote.join('\n'),
  );
}
