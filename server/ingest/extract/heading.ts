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
