import type { Block } from '../document.ts';
import { findElement, type HtmlElement } from './html-tree.ts';

const MENTIONED = /skeleton|shimmer|aria-busy/i;
const PLACEHOLDER = /(?:^|[-_\s])(?:skeleton|shimmer)/i;
const NOTICE = /^\W*(?:loading|please wait|[^.]{0,60}\b(?:enable|requires?|needs?)\b[^.]{0,20}javascript)/i;
const NOTICE_LENGTH_MAX = 120;

/** Returns true if the content has empty elements that scripts would fill. */
export function hasPlaceholders(root: HtmlElement, html: string): boolean {
  return MENTIONED.test(html) && findElement(root, isPlaceholder) !== undefined;
}

function isPlaceholder({ attributes, className, textLength }: HtmlElement): boolean {
  if (textLength > 1 || attributes.length === 0) return false;
  return PLACEHOLDER.test(className) || attributes.some(({ name, value }) => name === 'aria-busy' && value === 'true');
}

/** Returns true if a page with scripts has no text and no links, or only a loading or enable-JavaScript notice. */
export function isBare(blocks: readonly Block[], linkCount: number, html: string): boolean {
  if (blocks.length === 0) return linkCount === 0 && /<script\b/i.test(html);
  const [first] = blocks;
  if (/^\W*loading\W*$/i.test(first!.markdown)) return true;
  return blocks.length <= 2 && first!.markdown.length <= NOTICE_LENGTH_MAX && NOTICE.test(first!.markdown);
}

const NOSCRIPT_LENGTH_MIN = 500;

/** Returns the page with its `noscript` text unwrapped; undefined if that text is missing or just a notice. */
export function withNoscript(html: string): string | undefined {
  const body = html.slice(html.search(/<body\b/i));
  const inside = body.split(/<noscript\b[^<>]*>/i, 2)[1]?.split(/<\/noscript/i, 1)[0] ?? '';
  const unstyled = inside.split(/<\/style/i).map((part) => part.replace(/<style\b[^]*$/i, ''));
  const { length } = unstyled
    .join('')
    .replace(/<[^<>]*>/g, '')
    .trim();
  return length < NOSCRIPT_LENGTH_MIN ? undefined : html.replace(/<\/?noscript\b[^<>]*>/gi, '');
}
