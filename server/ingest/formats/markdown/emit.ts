import { plainText } from '../../split/plain-inline.ts';
import { admonition } from './callouts.ts';
import { rewriteInline } from './inline.ts';
import { fenceStart, isFenceEnd } from './lines.ts';
import type { Scanner } from './scanner.ts';

/** Adds text that stands for itself; the first block of a call-out becomes the admonition. */
export function emitText(
  scanner: Scanner,
  type: 'paragraph' | 'list' | 'quote' | 'admonition',
  markdown: string,
): void {
  if (markdown.trim() === '') return;
  const label = scanner.pendingLabel;
  scanner.pendingLabel = undefined;
  if (label === undefined) scanner.draft.addText(type, markdown);
  else scanner.draft.addText('admonition', admonition(label, markdown));
}

/** Says what a call-out is when something else than text comes first in it. */
export function emitPendingLabel(scanner: Scanner): void {
  const label = scanner.pendingLabel;
  scanner.pendingLabel = undefined;
  if (label !== undefined) scanner.draft.addText('admonition', admonition(label, ''));
}

/** Attributes of a heading are in its last characters. */
const attributesMax = 300;
const explicitId =
  /\s*(?:\\?\{:?\s*(?:#([^\s{}\\]+)[^{}]*|(?:[^{}]*\s)?id="([^\s"{}]+)"[^{}]*)|\{\/\*\s*#?([a-z\d][\w.:-]*)\s*\*\/)\}\s*$/;

/** Adds a heading with its anchor: the one written beside it, else the one a code host would make. */
export function emitHeading(scanner: Scanner, depth: number, source: string): void {
  emitPendingLabel(scanner);
  const start = Math.max(0, source.length - attributesMax);
  const end = source.slice(start);
  const id = explicitId.exec(end);
  const last = end
    .slice(0, id?.index)
    .replace(/\s*\{:?\s*[.\w][^{}]*\}\s*$/, '')
    .replace(/\s*\[\]\(#[^()\s]*\)\s*$/, '');
  const text = source.slice(0, start) + last;
  const markdown = rewriteInline(text, scanner.context, ' ').replace(/\s+/g, ' ').trim();
  const plain = plainText(markdown);
  if (plain === '') return;
  const anchor = id?.[1] ?? id?.[2] ?? id?.[3] ?? scanner.page.slugs.next(withoutComponents(scanner, text) ?? plain);
  scanner.draft.addHeading(markdown, depth, anchor);
  if (scanner.draft.title === '' && depth === 1) scanner.draft.title = plain;
}

/** What the address of a heading with components is made of: texts that they are given do not count. */
function withoutComponents(scanner: Scanner, text: string): string | undefined {
  const without = text.replace(/<[A-Z][^<>]{0,300}\/>/g, '');
  return without === text ? undefined : plainText(rewriteInline(without, scanner.context, ' ').trim());
}

/** A heading within a list, with its id. */
const headingWithId = /^(\s*(?:[-*+]\s+)?#{1,6}\s[^{}\n]*[^{}\s])\s\{#[\w.:-]+\}\s*$/;

/** Where a link of the page leads, on a line of its own. */
const linkDefinition = /^\s*\[[^[\]\\^]{1,200}\]:\s*(?:<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;

/** Inline Markdown over several lines; what stands in fences is kept as it is, a fence left open is closed. */
export function rewriteLines(scanner: Scanner, lines: readonly string[]): string {
  const parts: string[] = [];
  let text: string[] = [];
  let fence: { mark: string; indent: number } | undefined;
  const flush = (): void => {
    if (text.length > 0) parts.push(rewriteInline(text.join('\n'), scanner.context));
    text = [];
  };
  for (const line of lines) {
    if (fence === undefined) {
      fence = fenceStart(line.replace(/^(\s*)(?:[-*+]|\d{1,9}[.)])(\s+)(?=```|~~~)/, '$1$2'));
      if (fence) {
        flush();
        parts.push(line);
      } else if (!linkDefinition.test(line)) text.push(line.replace(headingWithId, '$1'));
    } else {
      parts.push(line);
      if (isFenceEnd(line, fence.mark)) fence = undefined;
    }
  }
  flush();
  if (fence) parts.push(' '.repeat(fence.indent) + fence.mark);
  return parts.join('\n');
}
