import type { Block } from '../document.ts';
import { headingDepth } from './block-elements.ts';
import { CONTENTS_TITLE } from './boilerplate-phrases.ts';
import { childElements, type HtmlElement, squash } from './html-tree.ts';
import { plainText } from './inline.ts';
import type { PageHead } from './page-head.ts';
import type { PageSurvey } from './page-survey.ts';

/** Matches what separates a title's parts, outside parentheses. */
const SEPARATOR = /(?<!\s)\s+(?:[|·•»«:/–—-]|::|\u2014)\s+(?![^()]{0,200}\))/;
const TITLE_LENGTH_MAX = 300;

/**
 * Returns a page's title: its first-level heading, or else a first heading repeated in the document title, or else the
 * document title. The site's name is removed from it if it is known or the address repeats the rest.
 */
export function pageTitle(
  root: HtmlElement,
  { headings, marked }: PageSurvey,
  blocks: readonly Block[],
  head: PageHead,
  url: string,
): string {
  // Nim and others set the title above the content.
  const titled = headings.find((heading) => heading.hasClass('title') && plainText(heading) === head.title);
  if (titled && headingDepth(titled) === 1) return clean(head.title);
  const inside = headings.filter(
    (heading) => heading.textLength > 0 && isShownIn(heading, root) && !CONTENTS_TITLE.test(plainText(heading)),
  );
  const mains = inside.filter((heading) => headingDepth(heading) === 1);
  const named = withoutSite(head.title, head.siteName, url);
  const own = ownHeading(mains, head.title, named, url) ?? pageHeading(mains, inside, head.title);
  const main = own ?? (mains[0] && plainText(mains[0]));
  // Several first-level headings are sections: then the title is the one repeated in the document title, or the
  // document title.
  const isTitle =
    own !== undefined ||
    mains.length === 1 ||
    named === '' ||
    head.title.toLowerCase().includes(main?.toLowerCase() ?? '');
  const isNamedBetter = GENERIC_TITLE.test(main ?? '') && named !== '' && !GENERIC_TITLE.test(named);
  const subject = nameSection(blocks);
  if (subject !== undefined && (named === '' || GENERIC_TITLE.test(named))) return clean(subject);
  if (main && isTitle && !isNamedBetter) return clean(qualified(main, named));
  const first = inside[0] && plainText(inside[0]);
  if (first && (isSameTitle(first, head.title, named) || isNumbered(first, named) || isOfFile(first, named, url)))
    return clean(first);
  const crumb = lastCrumb(marked, url);
  if (crumb !== undefined) return clean(crumb);
  // phpDocumentor titles every page "Documentation" until its project has a name.
  if (named !== '' && !(first && GENERIC_TITLE.test(named))) return clean(named);
  if (first) return clean(first);
  const paragraph = blocks.find((block) => block.type === 'paragraph');
  return paragraph ? clean(plain(paragraph.markdown).slice(0, 80)) : nameOfAddress(url);
}

/** Returns the site's declared name, or the other part of the document title: `Introduction - The Tide Book`. */
export function siteNameOf(head: PageHead, title: string): string | undefined {
  if (head.siteName) return head.siteName;
  const parts = partsOf(head.title);
  const others = parts.filter((part) => lettersOf(part) !== lettersOf(title));
  return others.length < parts.length || START_TITLE.test(title) ? others.at(-1) : undefined;
}

/** Generic titles of a start page. */
const START_TITLE = /^(?:home|index|introduction|overview|welcome|documentation|getting started|about|readme)$/i;

/**
 * Returns the first-level heading marked as the title, if there are several. If the first heading and the document
 * title both start with the site's name, uses the page part according to the document title or the file's name: `Site -
 * Page` with the headings `Site` and `Page`.
 */
function ownHeading(mains: readonly HtmlElement[], title: string, named: string, url: string): string | undefined {
  const marked = mains.filter((heading) => heading.hasClass('title'));
  if (marked.length === 1) return plainText(marked[0]!);
  const parts = partsOf(title).map(lettersOf);
  const [site = '', page] = mains.slice(0, 2).map(plainText);
  if (page === undefined || parts.length < 2 || parts[0] !== lettersOf(site)) return undefined;
  if (parts.indexOf(lettersOf(page)) > 0 || isOfFile(page, site, url)) return page;
  return parts.indexOf(lettersOf(named)) > 0 ? named : undefined;
}

/**
 * Returns the heading that is the second part of the document title, if the only first-level heading is the first:
 * `Tomcat 10 (10.1) - SSL How-To` with the headings `Tomcat 10` and `SSL How-To`. So is a document title that is only
 * the second heading.
 */
function pageHeading(mains: readonly HtmlElement[], inside: readonly HtmlElement[], title: string): string | undefined {
  const [site, page, ...rest] = partsOf(title);
  const [first, second] = inside;
  if (first === mains[0] && second && title !== '' && lettersOf(plainText(second)) === lettersOf(title)) return title;
  if (mains.length !== 1 || site === undefined || page === undefined || rest.length > 0) return undefined;
  const letters = lettersOf(plainText(mains[0]!));
  if (letters === '' || !lettersOf(site).startsWith(letters) || START_TITLE.test(page)) return undefined;
  return inside.some((heading) => lettersOf(plainText(heading)) === lettersOf(page)) ? page : undefined;
}

/**
 * Returns true if the heading contains the words of the file's name and the document title contains none of them, so is
 * probably shared by many pages.
 */
function isOfFile(heading: string, title: string, url: string): boolean {
  const words = fileOf(url)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  const isLong = words.some((word) => word.length > 3);
  return isLong && words.every((word) => lettersOf(heading).includes(word) && !lettersOf(title).includes(word));
}

/** Returns the last breadcrumb if the file is named after it: Compodoc's document title is the same on every page. */
function lastCrumb(marked: readonly HtmlElement[], url: string): string | undefined {
  const crumbs = marked.find((element) => element.hasClass('breadcrumb') || element.hasClass('breadcrumbs'));
  const last = crumbs && childElements(crumbs).at(-1);
  const name = last ? plainText(last) : '';
  return name !== '' && lettersOf(name) === lettersOf(fileOf(url)) ? name : undefined;
}

/**
 * Returns the qualified name from the document title if the heading is its end: valadoc's `get_hsv` is
 * `Plank.Color.get_hsv`; odoc's title of `Module Stdlib.Bytes` is `Bytes (package.Compiler.Stdlib.Bytes)`.
 */
function qualified(heading: string, documentTitle: string): string {
  const title = /^\S+ \((?:[a-z][\w-]*\.)?([\w.]+)\)$/.exec(documentTitle)?.[1] ?? documentTitle;
  const [, kind = '', name = ''] =
    /^((?:(?:class|module)(?: type)?|package|interface|struct|enum) )?(\S+)$/i.exec(heading) ?? [];
  const isName = name !== '' && /^[\w@$.:]+$/.test(title) && /[.:]/.test(title.at(-name.length - 1) ?? '');
  return isName && title.endsWith(name) ? kind + title : heading;
}

/**
 * Returns the name of a manual page or Perl module from its first section: `Module::Name - what it does` under `NAME`.
 */
function nameSection([first, second]: readonly Block[]): string | undefined {
  if (first?.type !== 'heading' || plain(first.markdown) !== 'NAME') return undefined;
  return /^(?:\w*\n)?\s*([^\s,]+)(?: +[-–—]+ |\s*$)/.exec(plain(second?.markdown ?? ''))?.[1];
}

/** Titles that name no subject; Haddock starts every module with one. */
const GENERIC_TITLE = /^(?:name|index|documentation|description|synopsis|reference|contents|api|interface)$/i;

/** Returns true if the document title ends in the number that starts the heading: `Manual: Section 4.33`. */
function isNumbered(heading: string, title: string): boolean {
  const number = /\b((?:\d+|[A-Z])(?:\.\d+)+)$/.exec(title)?.[1];
  return number !== undefined && heading.startsWith(`${number} `);
}

/**
 * Returns true if the document title repeats the heading, with or without its number (`Site - Chapter 17: Rationals`),
 * or the heading extends the title without its parentheses (javadoc).
 */
function isSameTitle(heading: string, title: string, named: string): boolean {
  const unnumbered = heading.replace(/^\d+(?:\.\d+)*\.?\s+/, '');
  if (title.toLowerCase().includes(unnumbered.toLowerCase())) return true;
  const bare = named.replace(/(?<!\s)\s*\([^()]*\)$/, '');
  return bare !== '' && bare !== named && heading.split(/[ <]/).includes(bare);
}

function isShownIn(element: HtmlElement, root: HtmlElement): boolean {
  for (let node: HtmlElement | null = element; node; node = node.parent) {
    if (node.isDropped) return false;
    if (node === root) return true;
  }
  return false;
}

/**
 * Returns the first part of `Page — Site`, or the second of Doxygen's `Site: Page` if the site is known or the file has
 * that name. Returns the whole title if the first part only repeats folders in the address.
 */
function withoutSite(title: string, siteName: string | undefined, url: string): string {
  // gi-docgen: `Gtk – 4.0: List Widget Overview`
  const ofLibrary = /^\S{1,60} – \d[\d.]{0,20}: (.+)$/.exec(title)?.[1];
  if (ofLibrary !== undefined) return ofLibrary;
  const parts = partsOf(title);
  const [first = ''] = parts;
  if (siteName && parts.length > 1) {
    const rest = parts.filter((part) => part.toLowerCase() !== siteName.toLowerCase());
    if (rest.length > 0) return rest[0]!;
  }
  // A folder may be named after the site or the page.
  const file = url.endsWith('/') ? undefined : lettersOf(fileOf(url));
  // ocamldoc names a type's page `type_Name`.
  const named = file && parts.find((part) => [file, file.replace(/^type/, '')].includes(lettersOf(part)));
  const folders = new Set(
    URL.parse('.', url)
      ?.href.toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  );
  const isSite = first.split(' ').every((word) => SITE_WORD.test(word) || folders.has(word.toLowerCase()));
  // An address without a file extension may be the site's folder; the part after a `|` is the site.
  const isFile =
    /\.x?html?$/i.test(url) || (!title.includes('|') && /\/[^/]+\/[^/]+$/.test(URL.parse(url)?.pathname ?? ''));
  if (named && (isSite || named === first || isFile)) return named;
  // A folder's index page is named after the folder.
  const folder = lettersOf(nameOfAddress(url.replace(/\/index\.x?html?$/i, '')));
  if (parts.length < 2 || lettersOf(first).endsWith(folder)) return first;
  return isSite ? title : first;
}

const SITE_WORD = /^(?:manual|documentation|docs|reference|api|v?\d[\d.]*)$/i;

export function partsOf(title: string): string[] {
  return title
    .split(SEPARATOR)
    .map((part) => part.trim())
    .filter(Boolean);
}

export function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/** Returns Markdown without link targets and markup. */
function plain(markdown: string): string {
  return markdown.replace(/\]\([^()\s]*\)/g, '').replace(/[[\]*`\\]/g, '');
}

function clean(title: string): string {
  const text = squash(title).replace(/\s*[¶#§]$/, '');
  return text.length > TITLE_LENGTH_MAX ? `${text.slice(0, TITLE_LENGTH_MAX - 1)}…` : text;
}

const fileOf = (url: string): string => nameOfAddress(url).replace(/\.x?html?$/i, '');

function nameOfAddress(url: string): string {
  const path = URL.parse(url)?.pathname ?? url;
  const last = path.split('/').filter(Boolean).at(-1) ?? '';
  try {
    return decodeURIComponent(last) || url;
  } catch {
    return last || url;
  }
}
