import type { Block } from '../document.ts';
import { linksIn, type MarkdownLink } from './markdown-links.ts';

/** From this share of link text on, a block is a list of links, whose targets are its content. */
const linkListShare = 0.6;

/** Matches a declaration whose values are links, in Doxygen's list of them. */
const enumeration = /^ *- enum [^\n{]{0,400}\{ ?\[/m;

/** Matches the heading of members that another page describes: "Methods inherited from class Object". */
const inheritedHeading = /\binherited (?:from|members|methods)\b/i;
/** Matches what generators say below a member about the one that it inherits or replaces, and about its calls. */
const originLine =
  /^(?:inherited from|overrides|overridden by|implementation of|reimplemented (?:from|in)|references|referenced by) /i;
/** Matches the way to a page that generators write above its title: "[Home](…) > [Basket](…)", "//[shop](…)/[add](…)". */
const trailLine = /^(?:\/\/\[|\[[^\]\n]+\]\([^()\s]+\) > \[|\[.+\) \/ [\w.$]+$)/;

/**
 * Removes the targets of links within the page's site: they take a quarter of all tokens, and a search for the link
 * text finds the page. Links to other sites, link lists and pointers keep their targets; code is unchanged. A list of
 * inherited members, below such a heading, loses all targets; so does the way to a page, above its title.
 */
export function shortenLinks(block: Block, pageUrl: string, heading: string): Block {
  if (block.type === 'code' || !block.markdown.includes('](')) return block;
  const links = linksIn(block.markdown);
  const isList = isLinkList(block.markdown, links) && !enumeration.test(block.markdown);
  const losesAll = block.type === 'heading' || block.type === 'term' || (isList && inheritedHeading.test(heading));
  const isOrigin = originLine.test(block.markdown) || (heading === '' && trailLine.test(block.markdown));
  if (links.length === 0 || (isList && !losesAll && !isOrigin)) return block;
  const site = sitePrefix(pageUrl);
  const isNamed = ({ start, labelEnd }: MarkdownLink) =>
    !isPointer(
      block.markdown.slice(start + 1, labelEnd),
      block.markdown.slice(Math.max(0, start - leadCharsMax), start),
    );
  const dropped = links.filter((link) => losesAll || (site !== '' && link.target.startsWith(site) && isNamed(link)));
  return dropped.length === 0 ? block : { ...block, markdown: without(block.markdown, dropped) };
}

function sitePrefix(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}/`;
}

function isLinkList(text: string, links: readonly MarkdownLink[]): boolean {
  let labels = 0;
  let all = text.replace(/[\s|*#>-]/g, '').length;
  for (const link of links) {
    labels += link.labelEnd - link.start - 1;
    all -= link.end - link.labelEnd + 1;
  }
  return labels >= all * linkListShare;
}

function without(text: string, links: readonly MarkdownLink[]): string {
  const cuts = links.flatMap((link) => [
    { from: link.start, to: link.start + 1 },
    { from: link.labelEnd, to: link.end },
  ]);
  cuts.sort((a, b) => a.from - b.from);
  const parts: string[] = [];
  let at = 0;
  for (const cut of cuts) {
    if (cut.from < at) continue;
    parts.push(text.slice(at, cut.from));
    at = cut.to;
  }
  parts.push(text.slice(at));
  return parts.join('');
}

const label = /^[*_]*(?:(?:click|see|read|go) )?(?:here|(?:this|that)(?: [\p{L}\d.’'-]{1,20}){1,2})[*_.,]*$/iu;
const lead = /\b(?:this|the following)(?: [\w-]{1,20})? (?:page|article|document|guide|post|tutorial|link)s?: ?$/i;
const labelCharsMax = 60;
/** Characters before a link that are checked for a pointer phrase. */
const leadCharsMax = 60;

/**
 * Returns true if the text is only a pointer ("here", "this page: …"), so that a search for its words cannot find the
 * target.
 */
export function isPointer(text: string, before: string): boolean {
  if (text.length <= labelCharsMax && label.test(text.trim())) return true;
  return lead.test(before.slice(-leadCharsMax));
}
