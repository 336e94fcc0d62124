import type { Block, ExtractedDocument } from '../document.ts';
import { headingDepth } from './block-elements.ts';
import { dropBoilerplate } from './boilerplate.ts';
import { renderFlow } from './flow.ts';
import { dropEmptiedHeadings, nestOutlines } from './heading.ts';
import { type HtmlElement, squash } from './html-tree.ts';
import { indexFileLinks, isDocsifyShell } from './index-files.ts';
import { plainText } from './inline.ts';
import { findMainContent, isInside } from './main-content.ts';
import { type PageHead, readHead } from './page-head.ts';
import { AddressBook, collectLinks } from './page-links.ts';
import { type PageSurvey, surveyPage, sweepTree } from './page-survey.ts';
import { pageTitle, siteNameOf } from './page-title.ts';
import { parseHtml } from './parse-html.ts';
import { dropSiteHeading } from './site-heading.ts';
import { labelPanels } from './tabs.ts';
import { hasPlaceholders, isBare, withNoscript } from './unfilled.ts';
import type { Subject } from './walk.ts';

/**
 * Converts a documentation page to a document: main content as Markdown blocks, links, title and metadata from the
 * head. Accepts any input without throwing; a page without recognisable main content yields all its text. Time is
 * linear in the size of the page.
 */
export function extractHtml(html: string, options: { url: string }): ExtractedDocument {
  const page = readPage(parseHtml(html), options.url, true);
  const noscript = page.survey.body.textLength === 0 ? withNoscript(html) : undefined;
  if (noscript !== undefined) return extractHtml(noscript, options);
  // Everything was dropped, so the supposed furniture is the content.
  const { blocks, root, survey, links, head } =
    page.blocks.length > 0 || page.survey.body.textLength === 0 ? page : readPage(parseHtml(html), options.url, false);
  const { addresses } = page;
  const all = [...links, ...indexFileLinks(html, addresses.base)];
  // Text besides a notice is the page's own.
  const isShell = blocks.length <= 2 && isDocsifyShell(html);
  const title = frontMatterTitle(html) ?? pageTitle(root, survey, blocks, head, options.url);
  return {
    title,
    siteName: siteNameOf(head, title),
    ...webAddress('canonicalUrl', head.canonicalHref, addresses),
    isNoindex: head.isNoindex,
    ...refreshAddress(head, addresses),
    ...webAddress('markdownUrl', head.markdownHref, addresses),
    needsScripts: !isShell && (hasPlaceholders(root, html) || isBare(blocks, all.length, html)),
    blocks: isShell ? [] : blocks,
    links: all,
  };
}

/** Extracts a tree that has only content, with a given title. */
export function extractContent(document: HtmlElement, options: { url: string; title: string }): ExtractedDocument {
  const { blocks, links } = readPage(document, options.url, false);
  return { title: options.title, isNoindex: false, blocks, links };
}

interface ReadPage {
  head: PageHead;
  survey: PageSurvey;
  root: HtmlElement;
  addresses: AddressBook;
  blocks: Block[];
  links: ExtractedDocument['links'];
}

function readPage(document: HtmlElement, url: string, isSelective: boolean): ReadPage {
  const head = readHead(document);
  const addresses = new AddressBook(url, head.baseHref);
  const survey = surveyPage(document);
  const panelLabels = labelPanels(survey);
  const root = isSelective ? findMainContent(survey, head.title) : survey.body;
  if (isSelective) {
    dropSiteHeading(root, survey, head.title, addresses);
    dropBoilerplate(root, survey, addresses);
  }
  const links = collectLinks(survey.links, (element) => isContent(element, root), addresses, head.isNofollow);
  nestOutlines(survey.headings.filter((heading) => isContent(heading, root)));
  dropEmptiedHeadings(root);
  sweepTree(root);
  const blocks = renderFlow(root, { addresses, panelLabels, subject: subjectOf(survey, root) });
  const said = blocks.filter((block, at) => !isRepeatedBy(block, blocks[at + 1]));
  return { head, survey, root, addresses, blocks: said, links };
}

/** Returns true for a heading that the template puts above the author's own, which has the anchor. */
function isRepeatedBy({ type, markdown, anchor, depth = 1 }: Block, next: Block | undefined): boolean {
  if (type !== 'heading' || anchor !== undefined || next?.type !== 'heading') return false;
  return next.markdown === markdown && (next.depth ?? 1) <= depth;
}

function isContent(element: HtmlElement, root: HtmlElement): boolean {
  for (let node: HtmlElement | null = element; node; node = node.parent) if (node.isDropped) return false;
  return isInside(element, root);
}

function webAddress<K extends string>(key: K, href: string | undefined, addresses: AddressBook): { [P in K]?: string } {
  const address = href === undefined ? undefined : addresses.resolve(href);
  return address?.startsWith('http') ? ({ [key]: address } as { [P in K]?: string }) : {};
}

function refreshAddress(head: PageHead, addresses: AddressBook): { refreshUrl?: string } {
  const found = webAddress('refreshUrl', head.refreshHref, addresses);
  const isSamePage = found.refreshUrl?.split('#')[0] === addresses.page;
  return isSamePage ? {} : found;
}

/** Returns the title from a Go fragment, which starts with a comment containing JSON. */
function frontMatterTitle(html: string): string | undefined {
  const match = /^\s*<!--\s*\{[^}]*?"Title":\s*("(?:[^"\\]|\\.)*")/.exec(html.slice(0, 2000));
  if (!match) return undefined;
  try {
    return squash(String(JSON.parse(match[1]!))) || undefined;
  } catch {
    // An ordinary comment, not JSON.
    return undefined;
  }
}

const RUST = /^(?:Struct|Enum|Trait|Union|Primitive Type|Type|Type Definition|Module|Crate|Macro|Function)\s+([\w:!]+)/;
const JAVA =
  /^(?:(?:Abstract|Public|Final)\s+)*(?:Class|Interface|Enum|Enum Class|Record|Record Class|Annotation Type|Annotation Interface)\s+([A-Z]\w*)/;

/** Returns the type that a rustdoc or javadoc page describes, taken from its title. */
function subjectOf(survey: PageSurvey, root: HtmlElement): Subject | undefined {
  const title = survey.headings.find(
    (heading) => headingDepth(heading) <= 2 && heading.textLength > 0 && isBelow(heading, root),
  );
  if (!title) return undefined;
  const text = plainText(title);
  const rust = RUST.exec(text)?.[1];
  if (rust?.includes('::') || (rust && title.hasClass('fqn')))
    return { name: rust.slice(rust.lastIndexOf(':') + 1), separator: '::' };
  const java = JAVA.exec(text)?.[1];
  return java ? { name: java, separator: '.' } : undefined;
}

function isBelow(element: HtmlElement, root: HtmlElement): boolean {
  for (let node = element.parent; node; node = node.parent) if (node === root) return true;
  return false;
}
