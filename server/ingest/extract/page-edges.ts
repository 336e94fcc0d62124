import { headingDepth, isBlockName } from './block-elements.ts';
import { isFootText, VERSION_NOTICE } from './boilerplate-phrases.ts';
import { childElements, findElement, HtmlElement, textOf } from './html-tree.ts';
import { linkDensity } from './main-content.ts';
import { isStepLine } from './service-links.ts';

/** The content of a page, and where on it the first heading stands. */
export interface PageShape {
  root: HtmlElement;
  /** Order of the first heading of the content; -1 without headings. */
  firstHeadingAt: number;
  /** Length of the text behind it that is not known to be furniture; only counted where it decides something. */
  textBelow: number | undefined;
}

// Entries of lists and tables carry names of what they are about, and are no containers of the page.
export const ENTRY_ELEMENTS: ReadonlySet<string> = new Set(
  'li dt dd td th tr tbody thead caption figure figcaption h1 h2 h3 h4 h5 h6 pre blockquote dl'.split(' '),
);

const LEAD_LENGTH_MAX = 400;
const SHARE_MAX = 0.5;
// Steps of a path: Home » Guide » Start.
const TRAIL = /\S\s*[»›→]\s*\S|\S\s+[>/]\s+\S/;

/**
 * Drops the run of links before the first heading that a link belongs to: breadcrumbs, steps, other views of the page.
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
  const density = linkDensity(element);
  return density >= 0.7 || (density >= 0.4 && TRAIL.test(textOf(element)));
}

/** Before the first heading, and without one of its own. */
export function isLead(element: HtmlElement, page: PageShape): boolean {
  return element.order < page.firstHeadingAt && !containsHeading(element);
}

/** A heading that is not merely a link: a title, and no label of a menu. */
export function containsHeading(element: HtmlElement): boolean {
  return findElement(element, (child) => headingDepth(child) > 0 && linkDensity(child) < 1) !== undefined;
}

const NOTICE_LENGTH_MAX = 320;

/** A notice above the first heading that only says which version of the documentation this is. */
export function isVersionNotice(element: HtmlElement, page: PageShape): boolean {
  if (element.textLength > NOTICE_LENGTH_MAX || element.textLength > SHARE_MAX * page.root.textLength) return false;
  return element.linkLength > 0 && isLead(element, page) && VERSION_NOTICE.test(textOf(element));
}

const FOOT_LENGTH_MAX = 600;
// Under a heading stands a date or a program; more than that is a section.
const HEADED_LENGTH_MAX = 80;

/** Copyright, build date and the like; no text with code in it. */
export function isPageFoot(element: HtmlElement): boolean {
  if (element.textLength > FOOT_LENGTH_MAX || !isFootText(textOf(element))) return false;
  if (element.textLength > HEADED_LENGTH_MAX && containsHeading(element)) return false;
  return element.name !== 'pre' && findElement(element, ({ name }) => name === 'pre' || name === 'dl') === undefined;
}

const FOOT_STEPS_MAX = 24;
const FOOT_CONTAINERS = new Set('div section article main center body'.split(' '));

/** Takes copyright lines, build dates and lines of steps off the end of the content. */
export function trimFoot(root: HtmlElement): void {
  let node = root;
  for (let step = 0; step < FOOT_STEPS_MAX; step++) {
    const last = childElements(node).findLast((child) => !child.isDropped && child.textLength > 0);
    if (!last) {
      if (node === root || hasOwnText(node)) return;
      // Everything in it is gone already: continue with what stands before it.
      node.isDropped = true;
      node = root;
      continue;
    }
    if (hasTextAfter(node, last) || headingDepth(last) > 0) {
      return;
    }
    const heading = headingAbove(last);
    if (heading !== undefined) {
      // The only text under a heading is what the heading announces, such as a section on the licence.
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

/** A heading directly above. */
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
