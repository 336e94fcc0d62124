import { headingDepth } from './block-elements.ts';
import { childElements, findElement, type HtmlElement } from './html-tree.ts';
import { plainText } from './inline.ts';
import { isInside, linkDensity } from './main-content.ts';
import type { AddressBook } from './page-links.ts';
import type { PageSurvey } from './page-survey.ts';
import { lettersOf, partsOf } from './page-title.ts';

const MOTTO_LENGTH_MAX = 120;

/**
 * Drops a site's name above the page's own headings: a first-level heading that is only a link to the start page, if the
 * document title names the site after the page (`Access Log - Server`). Also drops the site's motto below the name.
 */
export function dropSiteHeading(
  root: HtmlElement,
  { headings }: PageSurvey,
  documentTitle: string,
  addresses: AddressBook,
): void {
  const [first, next] = headings.filter(
    (heading) => heading.textLength > 0 && !heading.isDropped && isInside(heading, root),
  );
  if (!first || !next || headingDepth(first) > 1 || linkDensity(first) < 1) return;
  const name = lettersOf(plainText(first));
  const [page, ...others] = partsOf(documentTitle).map(lettersOf);
  if (name === page || !others.includes(name)) return;
  const href = findElement(first, (element) => element.name === 'a')?.attribute('href');
  if (href === undefined || !isStartPage(href, addresses)) return;
  first.isDropped = true;
  const beside = childElements(first.parent!).filter(
    ({ position, textLength }) => position > first.position && textLength > 0,
  );
  const motto = beside[0]?.name === 'p' && !isInside(next, first.parent!) ? beside[0] : undefined;
  if (motto && motto.textLength <= MOTTO_LENGTH_MAX && motto.linkLength === 0) motto.isDropped = true;
}

/** Returns true for the start page of a folder that contains the page. */
function isStartPage(href: string, addresses: AddressBook): boolean {
  const address = addresses.resolve(href)?.replace(/[?#].*/s, '');
  if (address === undefined || address === addresses.page) return false;
  const folder = address.replace(/\/(?:index|default|home)\.\w{1,5}$/i, '/');
  return folder.endsWith('/') && addresses.page.startsWith(folder);
}
