import type { Block } from '../document.ts';
import { headingDepth, isBlock } from './block-elements.ts';
import { findElement, HtmlElement, type HtmlNode, HtmlText } from './html-tree.ts';
import { identifiersOf } from './identifiers.ts';
import { plainText, renderInline } from './inline.ts';
import { codeSpan } from './markdown-text.ts';
import { permalinkTarget } from './service-elements.ts';
import { anchorOf, idsIn, type Walk } from './walk.ts';

// A permalink's mark without its link; in other headings such a sign is part of the text.
const BARE_MARK = /^[§¶]$/;

/** Creates a heading with its anchor and the names it defines; undefined if it shows nothing. */
export function headingBlock(element: HtmlElement, walk: Walk): Block | undefined {
  const markdown = headingMarkdown(element, walk);
  const own = ownAnchor(element);
  if (markdown === '' || BARE_MARK.test(markdown)) {
    walk.anchors.note(own);
    return undefined;
  }
  const placed = walk.anchors.take(own, idsIn(element));
  const identifiers = identifiersOf(element, placed.anchor, walk.subject);
  return {
    type: 'heading',
    markdown,
    depth: headingDepth(element),
    ...placed,
    ...(identifiers.length > 0 && { identifiers }),
  };
}

function headingMarkdown(element: HtmlElement, walk: Walk): string {
  if (isDeclaration(element)) return codeSpan(plainText(element));
  return renderInline(element.children, walk.addresses, { isPlain: true, isOneLine: true });
}

function isDeclaration(heading: HtmlElement): boolean {
  return heading.hasClass('code-header') || heading.hasClass('signature');
}

/**
 * Returns an element's anchor: the target of its permalink, its id, or an id at its start. The permalink comes first
 * because sites show it to readers.
 */
export function ownAnchor(element: HtmlElement): string | undefined {
  let permalink: string | undefined;
  let inner: string | undefined;
  findElement(element, (child) => {
    permalink ??= permalinkTarget(child);
    inner ??= anchorOf(child);
    return permalink !== undefined;
  });
  if (permalink) return permalink;
  return element.id ?? inner ?? selfLink(element);
}

/** Returns the target of a heading whose whole text is a link to itself. */
function selfLink(element: HtmlElement): string | undefined {
  for (const child of element.children) {
    if (child instanceof HtmlText ? child.value.trim() === '' : child.textLength === 0) continue;
    if (!(child instanceof HtmlElement) || child.name !== 'a' || child.hasClass('toc-backref')) return undefined;
    const href = child.attribute('href');
    return href?.startsWith('#') && href.length > 1 ? href.slice(1) : undefined;
  }
  return undefined;
}

/**
 * Moves the headings of an embedded text below the heading that introduces it: a Markdown comment has its own outline
 * but belongs under, say, "Description" on a page that continues with "Properties". `headings` must be in page order.
 */
export function nestOutlines(headings: readonly HtmlElement[]): void {
  let highest = 6;
  for (let at = 1; at < headings.length; at++) {
    const above = headings[at - 1]!;
    const opening = headingDepth(above);
    const text = highest < opening ? siblingAround(headings[at]!, above) : undefined;
    highest = Math.min(highest, opening);
    if (!text || headingDepth(headings[at]!) >= opening) continue;
    let end = at;
    while (end < headings.length && headings[end]!.order <= text.endOrder) end++;
    if (end === headings.length || headingDepth(headings[end]!) !== opening) continue;
    const inside = headings.slice(at, end);
    const by = opening + 1 - Math.min(...inside.map(headingDepth));
    for (const heading of inside) heading.deeper = by;
    at = end;
  }
}

/** Returns the sibling of `sibling` that contains the heading; undefined if the heading itself is the sibling. */
function siblingAround(heading: HtmlElement, sibling: HtmlElement): HtmlElement | undefined {
  let around: HtmlElement | null = heading.parent;
  while (around && around.parent !== sibling.parent) around = around.parent;
  return around ?? undefined;
}

const WITHOUT_TEXT = new Set('img picture svg math video audio object embed iframe canvas input'.split(' '));

/**
 * Drops headings whose whole text was dropped, such as the titles of a menu: they would be sections without text. A
 * heading that the author left empty stays, as do declarations and the first heading.
 */
export function dropEmptiedHeadings(root: HtmlElement): void {
  // Headings without text so far, the outermost first.
  let open: { heading: HtmlElement; depth: number; isEmptied: boolean }[] = [];
  let isFirst = true;
  const close = (depth: number): void => {
    for (let top = open.at(-1); top && top.depth >= depth; top = open.at(-1)) {
      open.pop();
      top.heading.isDropped = top.isEmptied;
      if (!top.isEmptied) open = [];
      else if (open.length > 0) open.at(-1)!.isEmptied = true;
    }
  };
  const stack: HtmlNode[] = [root];
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node instanceof HtmlText) {
      if (node.value.trim() !== '') open = [];
      continue;
    }
    const depth = headingDepth(node);
    const top = open.at(-1);
    if (node.isDropped) {
      if (top && node.order <= top.heading.parent!.endOrder && isBlock(node)) top.isEmptied ||= node.textLength > 0;
    } else if (depth > 0 && node.textLength > 0) {
      close(depth);
      if (isDeclaration(node)) open = [];
      else if (!isFirst) open.push({ heading: node, depth, isEmptied: false });
      isFirst = false;
    } else if (WITHOUT_TEXT.has(node.name)) open = [];
    else for (const child of node.children.toReversed()) stack.push(child);
  }
  close(0);
}
