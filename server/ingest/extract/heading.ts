import type { Block } from '../document.ts';
import { headingDepth } from './block-elements.ts';
import { findElement, HtmlElement, HtmlText } from './html-tree.ts';
import { identifiersOf } from './identifiers.ts';
import { plainText, renderInline } from './inline.ts';
import { codeSpan } from './markdown-text.ts';
import { permalinkTarget } from './service-elements.ts';
import { anchorOf, idsIn, type Walk } from './walk.ts';

/** A heading with its anchor and what it defines; undefined when it shows nothing. */
export function headingBlock(element: HtmlElement, walk: Walk): Block | undefined {
  const markdown = headingMarkdown(element, walk);
  const own = ownAnchor(element);
  if (markdown === '') {
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
  if (element.hasClass('code-header') || element.hasClass('signature')) return codeSpan(plainText(element));
  return renderInline(element.children, walk.addresses, { isPlain: true, isOneLine: true });
}

/**
 * Anchor that an element carries itself: the target of its permalink, its id, or an id of something at its start.
 * A permalink comes first, as it is what readers are given.
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

/** Headings whose whole text is a link to themselves. */
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
 * Puts the headings of an enclosed text below the heading that announces it: the Markdown of a comment has an outline of its own,
 * and stands under the "Description" of a page that goes on with "Properties". `headings` in the page's order.
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

/** The element beside `sibling` that holds the heading; undefined when that stands beside it itself. */
function siblingAround(heading: HtmlElement, sibling: HtmlElement): HtmlElement | undefined {
  let around: HtmlElement | null = heading.parent;
  while (around && around.parent !== sibling.parent) around = around.parent;
  return around ?? undefined;
}
