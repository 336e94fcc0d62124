import { headingDepth } from './block-elements.ts';
import { evidenceOf } from './boilerplate-names.ts';
import { isFootText } from './boilerplate-phrases.ts';
import { childElements, findElement, type HtmlElement, squashedText, textOf } from './html-tree.ts';
import type { PageSurvey } from './page-survey.ts';

/** Returns the length of the text outside links. */
export function proseLength(element: HtmlElement): number {
  return element.textLength - element.linkLength;
}

/** Returns the share of the text inside links, 0 to 1. */
export function linkDensity(element: HtmlElement): number {
  return element.textLength === 0 ? 0 : element.linkLength / element.textLength;
}

const ARTICLE_SHARE_MIN = 0.6;
const MAIN_SHARE_MIN = 0.25;
// A `main` that consists of links has little prose but most of the text.
const MAIN_TEXT_SHARE_MIN = 0.2;
// Below this, the page may be just a list of links, so prose is not compared.
const PROSE_LENGTH_MIN = 200;

/**
 * Returns the main content element: `main` or `role=main`, narrowed to an `article` that contains most of it; otherwise
 * the element found by following most of the text down from the body. Marks clear navigation and footers passed on the
 * way as dropped.
 */
export function findMainContent(survey: PageSurvey, documentTitle: string): HtmlElement {
  const { body } = survey;
  const main = largest(survey.mains.filter((candidate) => isPlausible(candidate, body))) ?? titledContent(survey);
  const root = main ?? body;
  const articles = survey.articles.filter((article) => !article.isDropped && isInside(article, root));
  const article = largest(articles);
  if (article && proseLength(article) >= ARTICLE_SHARE_MIN * proseLength(root) && article.textLength > 0) {
    return withTitle(outermostArticle(article, root), root, survey);
  }
  return main ?? followText(body, documentTitle);
}

/** Returns `#content` if it has a title and another title precedes it, which belongs to a sidebar (LDoc, Scaladoc). */
function titledContent({ headings }: PageSurvey): HtmlElement | undefined {
  const [first, ...others] = headings.filter((heading) => headingDepth(heading) === 1 && heading.textLength > 0);
  for (const title of others)
    for (let node = title.parent; node && !isInside(first!, node); node = node.parent)
      if (node.id === 'content') return node;
  return undefined;
}

/** Returns the smallest element with an article and the title above it, if the article has no title (JSDoc). */
function withTitle(article: HtmlElement, root: HtmlElement, { headings }: PageSurvey): HtmlElement {
  const own = headings.find((heading) => isInside(heading, article));
  if (own && headingDepth(own) === 1) return article;
  const title = headings.findLast(
    (heading) =>
      heading.order > root.order &&
      heading.order < article.order &&
      headingDepth(heading) === 1 &&
      linkDensity(heading) < 1,
  );
  let around: HtmlElement | null = article;
  while (title && around && !isInside(title, around)) around = around.parent;
  // A title in a banner with links at the top of the page is the site's name.
  for (let node = title?.parent; node && node !== around; node = node.parent)
    if (node.name === 'nav' || (node.name === 'header' && node.linkLength > 0 && root.name === 'body')) return article;
  return around ?? article;
}

function isPlausible(candidate: HtmlElement, body: HtmlElement): boolean {
  if (candidate.textLength === 0) return false;
  if (candidate.textLength >= MAIN_TEXT_SHARE_MIN * body.textLength) return true;
  return proseLength(candidate) >= MAIN_SHARE_MIN * proseLength(body) || proseLength(body) < PROSE_LENGTH_MIN;
}

function largest(candidates: readonly HtmlElement[]): HtmlElement | undefined {
  let best: HtmlElement | undefined;
  for (const candidate of candidates) if (!best || candidate.textLength > best.textLength) best = candidate;
  return best;
}

/** Returns true if `root` is the element or one of its ancestors. Only for elements that the survey has visited. */
export function isInside(element: HtmlElement, root: HtmlElement): boolean {
  return element.order >= root.order && element.order <= root.endOrder;
}

function outermostArticle(article: HtmlElement, root: HtmlElement): HtmlElement {
  let outermost = article;
  for (let node = article.parent; node && node !== root; node = node.parent)
    if (node.name === 'article') outermost = node;
  return outermost;
}

const CONTAINERS = new Set('body div section article center form table tbody tr td span main frameset'.split(' '));
const DOMINANT_SHARE = 0.75;
const NAVIGATION_DENSITY_MIN = 0.6;
const FOOT_LENGTH_MAX = 600;
const FOOT_ELEMENTS_MAX = 100;

/**
 * Descends while one child contains most of the prose, and drops its siblings that are not text. A title above that
 * child is part of the content.
 */
function followText(body: HtmlElement, documentTitle: string): HtmlElement {
  let current = body;
  let titled: HtmlElement | undefined;
  for (;;) {
    const children = childElements(current).filter((child) => !child.isDropped && child.textLength > 0);
    dropSideColumns(children);
    const best = dominantChild(children.filter((child) => !child.isDropped && !isFoot(child)));
    if (!best || isTitleAlone(best) || children.some(isTextBlock) || hasLooseText(current)) return titled ?? current;
    const bestAt = children.indexOf(best);
    // Below a title, lists of links may be the content; only columns are beside it.
    if (titled === undefined || current.name === 'tr')
      children.forEach((child, at) => {
        if (child !== best && isBesideText(child, at > bestAt, documentTitle)) child.isDropped = true;
      });
    // A sibling that remains is content, so the largest child alone is not the page.
    const others = children.filter((child) => child !== best && !child.isDropped);
    if (others.some((child) => child.order > best.order || !isTitleBlock(child))) return titled ?? current;
    if (others.length > 0) titled ??= current;
    current = best;
  }
}

/** Drops columns of links with a sidebar's name: on a short page they may contain more words than the text. */
function dropSideColumns(children: readonly HtmlElement[]): void {
  const isSide = (child: HtmlElement): boolean =>
    linkDensity(child) >= SIDE_DENSITY_MIN &&
    [evidenceOf(child, 'id'), evidenceOf(child, 'class')].includes('strong') &&
    !findElement(child, (inner) => headingDepth(inner) === 1);
  const sides = children.filter(isSide);
  if (sides.length === children.length || !children.some((child) => !isSide(child) && proseLength(child) > 0)) return;
  for (const side of sides) side.isDropped = true;
}

const TITLE_LENGTH_MAX = 300;

/** Returns true for a centred title, whose words may be the only ones outside links: the links are the content. */
function isTitleAlone(element: HtmlElement): boolean {
  const { textLength } = element;
  if (textLength > TITLE_LENGTH_MAX) return false;
  return findElement(element, (child) => headingDepth(child) > 0 && child.textLength === textLength) !== undefined;
}

/** Returns true for a title with logos around it. */
function isTitleBlock(element: HtmlElement): boolean {
  return (
    element.textLength <= TITLE_LENGTH_MAX && findElement(element, (child) => headingDepth(child) > 0) !== undefined
  );
}

const SIDE_DENSITY_MIN = 0.5;

function dominantChild(children: readonly HtmlElement[]): HtmlElement | undefined {
  let best: HtmlElement | undefined;
  let total = 0;
  for (const child of children) {
    total += proseLength(child);
    if (!best || proseLength(child) > proseLength(best)) best = child;
  }
  if (!best || !CONTAINERS.has(best.name) || (best.name === 'table' && !isPageLayout(best))) return undefined;
  // Code, notes and similar blocks are content as a whole, so there is no need to look inside.
  if (evidenceOf(best, 'class') === 'content') return undefined;
  return proseLength(best) >= DOMINANT_SHARE * total && proseLength(best) > 0 ? best : undefined;
}

/**
 * Returns true for a table in which one cell holds nearly everything, which is page layout; other tables are content.
 */
function isPageLayout(table: HtmlElement): boolean {
  const bulk = DOMINANT_SHARE * proseLength(table);
  return findElement(table, (cell) => cell.name === 'td' && proseLength(cell) >= bulk) !== undefined;
}

/** Returns true for running text. If one of the children is running text, their parent is the content. */
function isTextBlock(element: HtmlElement): boolean {
  if (headingDepth(element) > 0) return linkDensity(element) < 1;
  if (element.name !== 'p' && element.name !== 'pre' && element.name !== 'blockquote' && element.name !== 'dl')
    return false;
  return linkDensity(element) < NAVIGATION_DENSITY_MIN && !isFootText(textOf(element));
}

/** Scaladoc and Dokka: nearly all of a declaration may be links. */
const DECLARATION = /\b(?:signature|symbol monospace)\b/;

function isBesideText(element: HtmlElement, isAfter: boolean, documentTitle: string): boolean {
  if (isTextBlock(element) || evidenceOf(element, 'class') === 'content') return false;
  if (findElement(element, ({ className }) => DECLARATION.test(className))) return false;
  // The title may stand in a header of its own, with the table of contents beside it (Doxygen).
  const isTitle = (heading: HtmlElement): boolean =>
    opensTitle(heading, documentTitle) || heading.parent?.hasClass('headertitle') === true;
  if (findElement(element, (child) => headingDepth(child) === 1 && isTitle(child))) return false;
  if (findElement(element, (child) => headingDepth(child) > 0 && linkDensity(child) < 1)) {
    return isNavigation(element) && (hasFurnitureName(element) || linkDensity(element) >= 0.9);
  }
  if (isNavigation(element) || hasFurnitureName(element)) return true;
  return isAfter && isFoot(element);
}

/** Returns true for a small footer. On a page of links it may be the only text outside links. */
function isFoot(element: HtmlElement): boolean {
  const isSmall = element.textLength <= FOOT_LENGTH_MAX && element.endOrder - element.order <= FOOT_ELEMENTS_MAX;
  return isSmall && isFootText(textOf(element));
}

/** Returns true if the document title starts with the heading; the page's name comes first and the site's last. */
function opensTitle(heading: HtmlElement, documentTitle: string): boolean {
  const text = squashedText(heading).toLowerCase();
  return text !== '' && documentTitle.toLowerCase().startsWith(text);
}

function isNavigation(element: HtmlElement): boolean {
  const density = linkDensity(element);
  return density >= 0.8 || (density >= NAVIGATION_DENSITY_MIN && proseLength(element) < PROSE_LENGTH_MIN);
}

const LOOSE_LENGTH_MIN = 40;

/** Returns true if the element has substantial text outside its child elements. */
function hasLooseText(element: HtmlElement): boolean {
  let loose = element.textLength;
  for (const child of childElements(element)) loose -= child.textLength;
  return loose >= LOOSE_LENGTH_MIN;
}

function hasFurnitureName(element: HtmlElement): boolean {
  const evidence = [evidenceOf(element, 'id'), evidenceOf(element, 'class')];
  if (evidence.includes('strong')) return true;
  // A header may contain facts about the page; a sidebar or menu rarely does.
  return (
    evidence.includes('weak') &&
    (linkDensity(element) >= 0.2 || /side|nav|menu/i.test(`${element.id} ${element.className}`))
  );
}
