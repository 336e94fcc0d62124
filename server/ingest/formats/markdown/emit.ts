import { plainText } from '../../split/plain-inline.ts';
import { admonition } from './callouts.ts';
import { rewriteInline } from './inline.ts';
import { fenceStart, isFenceEnd } from './lines.ts';
import type { Scanner } from './scanner.ts';

/** Adds a text block; if a call-out label is pending, the block becomes the admonition. */
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

/** Adds the pending call-out label as a separate block, because no text follows it. */
export function emitPendingLabel(scanner: Scanner): void {
  const label = scanner.pendingLabel;
  scanner.pendingLabel = undefined;
  if (label !== undefined) scanner.draft.addText('admonition', admonition(label, ''));
}

/** Length of the heading's end that is searched for attributes. */
const attributesMax = 300;
const explicitId =
  /\s*(?:\\?\{:?\s*(?:#([^\s{}\\]+)[^{}]*|(?:[^{}]*\s)?id="([^\s"{}]+)"[^{}]*)|\{\/\*\s*#?([a-z\d][\w.:-]*)\s*\*\/)\}\s*$|\s+:id=([^\s{}]+)\s*$/;

/** Adds a heading with its explicit anchor, or with the one that code hosts generate. */
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
  const anchor =
    id?.[1] ?? id?.[2] ?? id?.[3] ?? id?.[4] ?? scanner.page.slugs.next(withoutComponents(scanner, text) ?? plain);
  scanner.draft.addHeading(markdown, depth, anchor);
  if (scanner.draft.title === '' && depth === 1) scanner.draft.title = plain;
}

/** Returns the text for the generated anchor of a heading with components: their attribute texts do not count. */
function withoutComponents(scanner: Scanner, text: string): string | undefined {
  const without = text.replace(/<[A-Z][^<>]{0,300}\/>/g, '');
  return without === text ? undefined : plainText(rewriteInline(without, scanner.context, ' ').trim());
}

/** A heading with an id inside a list. */
const headingWithId = /^(\s*(?:[-*+]\s+)?#{1,6}\s[^{}\n]*[^{}\s])\s\{#[\w.:-]+\}\s*$/;

/** A link definition on its own line. */
const linkDefinition = /^\s*\[[^[\]\\^]{1,200}\]:\s*(?:<[^<>]*>|\S+)(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*$/;

/** Rewrites inline Markdown over several lines; fenced code is unchanged, an open fence is closed. */
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
