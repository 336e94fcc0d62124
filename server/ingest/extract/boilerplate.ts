import { headingDepth, isBlockName } from './block-elements.ts';
import { evidenceOf } from './boilerplate-names.ts';
import { CONTENTS_TITLE } from './boilerplate-phrases.ts';
import {
  childElements,
  elementBefore,
  findElement,
  type HtmlElement,
  type HtmlNode,
  HtmlText,
  squashedText,
  textOf,
} from './html-tree.ts';
import { isInside, linkDensity, proseLength } from './main-content.ts';
import {
  containsHeading,
  dropLead,
  ENTRY_ELEMENTS,
  isLead,
  isPageFoot,
  isVersionNotice,
  type PageShape,
  trimFoot,
} from './page-edges.ts';
import type { AddressBook } from './page-links.ts';
import type { PageSurvey } from './page-survey.ts';
import { dropServiceLink, isInCode, isStepLine } from './service-links.ts';
import { isTabPanel } from './visibility.ts';

const FURNITURE_ROLES = new Set(
  'navigation menu menubar search banner contentinfo toolbar tablist dialog alertdialog tooltip doc-toc doc-pagelist'.split(
    ' ',
  ),
);
// An element with at least this share of the text is content, regardless of its name.
const TEXT_SHARE_MAX = 0.5;
const FORM_SHARE_MAX = 0.25;

/**
 * Marks boilerplate inside `root` as dropped: navigation, page furniture, local tables of contents, service links. The
 * main evidence is general (landmarks, link density, position, wording); class names and ids support it.
 */
export function dropBoilerplate(root: HtmlElement, survey: PageSurvey, addresses: AddressBook): void {
  const firstHeading = survey.headings.find(
    (heading) => heading.textLength > 0 && !heading.isDropped && isInside(heading, root),
  );
  const firstHeadingAt = firstHeading?.order ?? -1;
  const page: PageShape = { root, firstHeadingAt, textBelow: undefined };
  for (const element of survey.marked) {
    if (element === root || element.isDropped || !isInside(element, root)) continue;
    if (element.name === 'dl') dropSources(element);
    // A strip of logos has no text.
    if (element.textLength === 0 && evidenceOf(element, 'class') !== 'strong') continue;
    const bar = javadocBar(element);
    if (bar) bar.isDropped = true;
    if (bar || !(isSourceLine(element) || isFurniture(element, page))) continue;
    element.isDropped = true;
    if (page.textBelow !== undefined && element.order > page.firstHeadingAt && !isFrame(element))
      page.textBelow -= element.textLength;
  }
  for (const list of survey.marked) {
    if ((list.name !== 'ul' && list.name !== 'ol') || list.isDropped || !isInside(list, root)) continue;
    dropLocalContents(list, root, addresses);
  }
  for (const link of survey.links) {
    if (link.isDropped || !isInside(link, root)) continue;
    if (link.order < page.firstHeadingAt) dropLead(link, page);
    dropServiceLink(link, root);
  }
  trimFoot(root);
}

const SCALADOC_ATTRIBUTES = /^attributes(?: attributes-small| block)?$/;

/** Drops what Scaladoc and JSDoc repeat for each member: the title "Attributes" and the link to the source. */
function dropSources(list: HtmlElement): void {
  const isOfScaladoc = SCALADOC_ATTRIBUTES.test(list.className);
  const title = isOfScaladoc ? elementBefore(list) : undefined;
  if (title !== undefined && squashedText(title) === 'Attributes') title.isDropped = true;
  const parts = childElements(list);
  parts.forEach((part, at) => {
    const told = parts[at + 1];
    if (part.name !== 'dt' || !(isOfScaladoc || part.className === 'tag-source')) return;
    const isLink = told !== undefined && linkDensity(told) > 0.8;
    const pattern = isLink ? /^(?:Source:?|Graph)$/ : /^Graph$/;
    for (const one of pattern.test(squashedText(part)) ? [part, told] : []) if (one) one.isDropped = true;
  });
}

const SOURCE_LINE_LENGTH_MAX = 300;
const SOURCE_LINE = /^(?:Defined in \S+:\d+ ?)+$|^Definition at line \d+ of file \S+$/;

/** Returns true for the line of the source that TypeDoc and Doxygen give for each declaration. */
function isSourceLine(element: HtmlElement): boolean {
  if (element.textLength > SOURCE_LINE_LENGTH_MAX || !/^(?:aside|ul|p)$/.test(element.name)) return false;
  return SOURCE_LINE.test(squashedText(element));
}

const BAR_LENGTH_MAX = 700;

/** Returns the table around a cell of javadoc's old navigation bar; only its cells are named. */
function javadocBar(cell: HtmlElement): HtmlElement | undefined {
  if (cell.name !== 'td' || !(cell.className || (cell.id ?? '')).startsWith('NavBarCell')) return undefined;
  let table: HtmlElement | undefined;
  for (let node = cell.parent; node && node.textLength <= BAR_LENGTH_MAX; node = node.parent)
    if (node.name === 'table') table = node;
  return table;
}

function isFurniture(element: HtmlElement, page: PageShape): boolean {
  if (isTabPanel(element)) return false;
  const share = page.root.textLength === 0 ? 1 : element.textLength / page.root.textLength;
  if (isVersionNotice(element, page)) return true;
  const verdict = landmarkVerdict(element, share) ?? nameVerdict(element, share, page);
  return verdict && !isInCode(element);
}

/** Returns the verdict from the element's name and role; undefined if they are not conclusive. */
function landmarkVerdict(element: HtmlElement, share: number): boolean | undefined {
  const { name, role } = element;
  if (name === 'nav' || (role !== undefined && FURNITURE_ROLES.has(role))) {
    return share < 0.9 || linkDensity(element) > 0.5;
  }
  switch (name) {
    case 'footer':
      return share < TEXT_SHARE_MAX;
    case 'header':
      return share < TEXT_SHARE_MAX && !findElement(element, (child) => headingDepth(child) > 0);
    case 'form':
    case 'search':
      return share < FORM_SHARE_MAX;
    case 'aside':
      return share < TEXT_SHARE_MAX && linkDensity(element) > 0.5 && !isSentence(element) ? true : undefined;
    default:
      return undefined;
  }
}

/**
 * Returns true for a sentence in an `aside`: odoc writes remarks between values this way (`Edges are
 * Sig.ORDERED_TYPE.`).
 */
function isSentence(aside: HtmlElement): boolean {
  return childElements(aside).every(({ name }) => name === 'p') && /[\w)]\.$/.test(textOf(aside).trim());
}

const LEAD_LENGTH_MAX = 200;

/** Returns the length of the text after the first heading, excluding headings, furniture and the element. */
function otherText(element: HtmlElement, page: PageShape): number {
  page.textBelow ??= textBelow(page);
  return page.textBelow - element.textLength;
}

function textBelow({ root, firstHeadingAt }: PageShape): number {
  let length = 0;
  const stack = [root];
  for (let next = stack.pop(); next; next = stack.pop()) {
    if (next.isDropped || next.endOrder < firstHeadingAt || headingDepth(next) > 0 || isFrame(next)) continue;
    if (next.order > firstHeadingAt && !PAGE_CONTAINERS.has(next.name)) length += next.textLength;
    else for (const child of childElements(next)) stack.push(child);
  }
  return length;
}

const PAGE_CONTAINERS = new Set('div section article main center body'.split(' '));

/** Returns true for furniture marked by its element, its role or an unambiguous name. */
function isFrame(element: HtmlElement): boolean {
  return landmarkVerdict(element, 0) === true || evidenceOf(element, 'class') === 'strong' || isPageFoot(element);
}

function nameVerdict(element: HtmlElement, share: number, page: PageShape): boolean {
  if (ENTRY_ELEMENTS.has(element.name) || !isBlockName(element.name)) return false;
  const byClass = evidenceOf(element, 'class');
  // A section's id comes from its title (so "navigation" may be the subject); ids with `.`, `:` or brackets name an
  // API.
  const byId = element.name === 'section' || /[.:()]/.test(element.id ?? '') ? 'none' : evidenceOf(element, 'id');
  if (byClass === 'content' || byId === 'content') return false;
  if (byClass === 'none' && byId === 'none') return false;
  if (share >= TEXT_SHARE_MAX)
    return byClass === 'strong' ? isLongMenu(element, page) : isTitledMenu(element) && isBesideText(element, page);
  // A tab bar alone is furniture; an element that also contains the panels is text.
  if (isDeclaration(element) || findElement(element, isTabPanel)) return false;
  const isTitled = startsWithHeading(element);
  if (byClass === 'strong') return !isTitled || linkDensity(element) > 0.4;
  if (isTitled || containsHeading(element)) return isTitledMenu(element);
  // RDoc: the source of a method `footer` is `footer-source`. Nim: a constant is declared in `<div id="PC_PATH_MAX">`.
  if (byClass === 'none' && findElement(element, ({ name }) => name === 'pre')) return false;
  if (byId === 'strong') return true;
  if (element.name === 'table') return false;
  const isBelowStart = element.order > page.firstHeadingAt;
  if (isBelowStart && isPageFoot(element)) return true;
  // On a page that consists of links, with at most a sentence before them, the links are the content.
  if (linkDensity(element) >= 0.6)
    return !isBelowStart || otherText(element, page) > LEAD_LENGTH_MAX || isStepLine(element);
  return element.textLength <= LEAD_LENGTH_MAX && isLead(element, page) && linkDensity(element) >= 0.2;
}

const BESIDE_MENU_LENGTH_MIN = 40;

/**
 * Returns true for a menu of the whole site on a short page: it has no headings, paragraphs or code, and there is text
 * beside it.
 */
function isLongMenu(element: HtmlElement, page: PageShape): boolean {
  if (!/nav/i.test(element.className) || linkDensity(element) < 0.6) return false;
  if (findElement(element, (child) => child.name === 'p' || child.name === 'pre' || headingDepth(child) > 0))
    return false;
  return isBesideText(element, page);
}

function isBesideText(menu: HtmlElement, { root }: PageShape): boolean {
  return proseLength(root) - proseLength(menu) >= BESIDE_MENU_LENGTH_MIN;
}

/** Returns true for a sidebar with only titles and links (dartdoc, phpDocumentor, LDoc). */
function isTitledMenu(element: HtmlElement): boolean {
  const isNamed = /(?<!has-|with-|no-)sidebar/i.test(element.className) || element.id === 'navigation';
  return isNamed && element.children.every(isMenuPart);
}

function isMenuPart(node: HtmlNode): boolean {
  if (node instanceof HtmlText) return node.value.trim() === '';
  // The current page's entry is bold instead of a link.
  const isCurrent = (node.name === 'strong' || node.name === 'b') && node.parent?.name === 'li';
  const isPart =
    node.isDropped || node.name === 'a' || headingDepth(node) > 0 || evidenceOf(node, 'class') === 'strong';
  return isPart || isCurrent || node.children.every(isMenuPart);
}

/** A declaration whose types are all links: Haddock's `top`, and a `header` of Scaladoc. */
function isDeclaration(element: HtmlElement): boolean {
  const has = (name: string) => childElements(element).some((child) => child.hasClass(name));
  return has('signature') || (element.hasClass('top') && has('src'));
}

function startsWithHeading(element: HtmlElement): boolean {
  // A row of previous/next links may precede the heading.
  const first = childElements(element)
    .filter((child) => child.textLength > 0)
    .slice(0, 2);
  return first.some((child) => headingDepth(child) > 0);
}

const DENSITY_MIN = 0.75;
// A page that consists almost only of links to its own sections keeps them.
const SHARE_MAX = 0.7;

/**
 * Marks a local table of contents as dropped: all its links lead to anchors on the same page, it has hardly any other
 * text, and a title or a name says what it is. Without such a title or name, it is an overview that the author wrote.
 */
function dropLocalContents(list: HtmlElement, root: HtmlElement, addresses: AddressBook): void {
  if (list.linkLength === 0 || linkDensity(list) < DENSITY_MIN || list.textLength > SHARE_MAX * root.textLength) return;
  const unit = wholeOf(list);
  const before = elementBefore(unit);
  const title = before && isContentsTitle(before) ? before : undefined;
  if (!title && !isNamedContents(list)) return;
  const foreign = findElement(list, (element) => {
    const href = element.name === 'a' ? element.attribute('href') : undefined;
    return href !== undefined && href !== '' && !addresses.isLocal(href);
  });
  if (foreign) return;
  unit.isDropped = true;
  if (title) title.isDropped = true;
}

/** Returns the outermost element that contains the list and no other text. */
function wholeOf(list: HtmlElement): HtmlElement {
  let unit = list;
  while (unit.parent && unit.parent.textLength === unit.textLength) unit = unit.parent;
  return unit;
}

const NAME_LEVELS_MAX = 4;
const TITLE_LENGTH_MAX = 40;

function isNamedContents(list: HtmlElement): boolean {
  let node: HtmlElement | null = list;
  for (let level = 0; node && level < NAME_LEVELS_MAX; level++, node = node.parent) {
    if (node.textLength > list.textLength + TITLE_LENGTH_MAX) return false;
    if (evidenceOf(node, 'class') !== 'none' || evidenceOf(node, 'id') !== 'none') return true;
  }
  return false;
}

function isContentsTitle(element: HtmlElement): boolean {
  return element.textLength < TITLE_LENGTH_MAX && CONTENTS_TITLE.test(squashedText(element));
}
