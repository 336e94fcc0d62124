import { headingDepth, isBlockName } from './block-elements.ts';
import { isFootText, VERSION_NOTICE } from './boilerplate-phrases.ts';
import { childElements, findElement, HtmlElement, textOf } from './html-tree.ts';
import { linkDensity } from './main-content.ts';
import { isStepLine } from './service-links.ts';

/** A page's content and the position of its first heading. */
export interface PageShape {
  root: HtmlElement;
  /** Order of the content's first heading; -1 without headings. */
  firstHeadingAt: number;
  /** Length of the text after the first heading that is not known furniture; computed only when needed. */
  textBelow: number | undefined;
}

// List items and table rows carry names of their subject and are not page containers.
export const ENTRY_ELEMENTS: ReadonlySet<string> = new Set(
  'li dt dd td th tr tbody thead caption figure figcaption h1 h2 h3 h4 h5 h6 pre blockquote dl'.split(' '),
);

const LEAD_LENGTH_MAX = 400;
const SHARE_MAX = 0.5;
// Breadcrumbs: Home » Guide » Start.
const TRAIL = /\S\s*[»›→]\s*\S|\S\s+[>/]\s+\S/;

/**
 * Drops the run of links around `link` if it precedes the first heading: breadcrumbs, steps, other views of the page.
 */
export function dropLead(link: HtmlElement, page: PageShape): void {
  let lead: HtmlElement | undefined;
  for (let node = link.parent; node && node !== page.root && !node.isDropped; node = node.parent) {
    if (node.textLength > LEAD_LENGTH_MAX || node.textLength > SHARE_MAX * page.root.textLength) break;
    if (ENTRY_ELEMENTS.has(node.name) || !isLead(node, page)) break;
    if (isBlockName(node.name) && isRunOfLinks(node)) lead = node;
  }
  if (lead) lead.isDropped = true;
}

function isRunOfLinks(element: HtmlElement): boolean {
  if (/^\s*see also\b/i.test(textOf(element))) return false;
  const density = linkDensity(element);
  return density >= 0.7 || (density >= 0.4 && TRAIL.test(textOf(element)));
}

/** Returns true if the element precedes the first heading and contains none. */
export function isLead(element: HtmlElement, page: PageShape): boolean {
  return element.order < page.firstHeadingAt && !containsHeading(element);
}

/** Returns true if a heading inside is not just a link: a title rather than a menu's label. */
export function containsHeading(element: HtmlElement): boolean {
  return findElement(element, (child) => headingDepth(child) > 0 && linkDensity(child) < 1) !== undefined;
}

const NOTICE_LENGTH_MAX = 320;

/** Returns true for a notice above the first heading that only names the documentation's version. */
export function isVersionNotice(element: HtmlElement, page: PageShape): boolean {
  if (element.textLength > NOTICE_LENGTH_MAX || element.textLength > SHARE_MAX * page.root.textLength) return false;
  return element.linkLength > 0 && isLead(element, page) && VERSION_NOTICE.test(textOf(element));
}

const FOOT_LENGTH_MAX = 600;
// A date or generator may follow a heading in a footer; a longer text is a section.
const HEADED_LENGTH_MAX = 80;

/** Returns true for copyright, build date and similar text without code. */
export function isPageFoot(element: HtmlElement): boolean {
  if (element.textLength > FOOT_LENGTH_MAX || !isFootText(textOf(element))) return false;
  if (element.textLength > HEADED_LENGTH_MAX && containsHeading(element)) return false;
  return element.name !== 'pre' && findElement(element, ({ name }) => name === 'pre' || name === 'dl') === undefined;
}

const FOOT_STEPS_MAX = 24;
const FOOT_CONTAINERS = new Set('div section article main center body'.split(' '));

/** Drops copyright lines, build dates and step lines from the end of the content. */
export function trimFoot(root: HtmlElement): void {
  let node = root;
  for (let step = 0; step < FOOT_STEPS_MAX; step++) {
    const last = childElements(node).findLast((child) => !child.isDropped && child.textLength > 0);
    if (!last) {
      if (node === root || hasOwnText(node)) return;
      // All its children are dropped: continue with the element before it.
      node.isDropped = true;
      node = root;
      continue;
    }
    if (hasTextAfter(node, last) || headingDepth(last) > 0) {
      return;
    }
    const heading = headingAbove(last);
    if (heading !== undefined) {
      // The only text under a heading usually belongs to it, such as a section about the licence.
      const isFoot = last.textLength <= HEADED_LENGTH_MAX && isFootText(`${textOf(heading)} ${textOf(last)}`, 'making');
      if (!isFoot) return;
      heading.isDropped = true;
      last.isDropped = true;
    } else if (last.textLength < SHARE_MAX * root.textLength && (isPageFoot(last) || isStepLine(last))) {
      last.isDropped = true;
    } else if (FOOT_CONTAINERS.has(last.name)) {
      node = last;
    } else {
      return;
    }
  }
}

/** Returns the heading directly above the element. */
function headingAbove({ parent, position }: HtmlElement): HtmlElement | undefined {
  if (parent === null) return undefined;
  const before = childElements(parent).findLast((child) => child.position < position && child.textLength > 0);
  return before !== undefined && !before.isDropped && headingDepth(before) > 0 ? before : undefined;
}

function hasOwnText(element: HtmlElement): boolean {
  return element.children.some((child) => !(child instanceof HtmlElement) && child.value.trim() !== '');
}

function hasTextAfter(parent: HtmlElement, last: HtmlElement): boolean {
  for (let i = parent.children.length - 1; i > last.position; i--) {
    const child = parent.children[i]!;
    if (!(child instanceof HtmlElement) && child.value.trim() !== '') return true;
  }
  return false;
}
