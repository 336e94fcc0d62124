import type { Block } from '../document.ts';
import { CodeSpans } from './code-spans.ts';

/** From this share of link text on a block is there to lead elsewhere: its targets are what it says. */
const linkListShare = 0.6;
const targetCharsMax = 2000;

interface Link {
  /** Opening bracket; `labelEnd` is the closing one, `end` the position after the target. */
  start: number;
  labelEnd: number;
  end: number;
  target: string;
}

/**
 * The block without the targets of links within the page's own site, which cost a quarter of all tokens and are found by
 * searching for their text. Links to other sites and lists of links keep theirs; code is left alone.
 */
export function shortenLinks(block: Block, pageUrl: string): Block {
  if (block.type === 'code' || !block.markdown.includes('](')) return block;
  const links = linksIn(block.markdown);
  const isTitle = block.type === 'heading' || block.type === 'term';
  if (links.length === 0 || (!isTitle && isLinkList(block.markdown, links))) return block;
  const site = sitePrefix(pageUrl);
  const dropped = links.filter((link) => isTitle || (site !== '' && link.target.startsWith(site)));
  return dropped.length === 0 ? block : { ...block, markdown: without(block.markdown, dropped) };
}

function sitePrefix(url: string): string {
  if (!URL.canParse(url)) return '';
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}/`;
}

/** Links of the form `[label](target)` in reading order of their ends; none inside code spans. */
function linksIn(text: string): Link[] {
  const links: Link[] = [];
  const open: number[] = [];
  const spans = new CodeSpans(text);
  for (let at = 0; at < text.length; ) {
    const char = text[at];
    if (char === '\\') at += 2;
    else if (char === '`') at = spans.end(at);
    else {
      if (char === '[') open.push(at);
      const start = char === ']' ? open.pop() : undefined;
      const end = start !== undefined && text[at + 1] === '(' ? targetEnd(text, at + 1) : -1;
      if (start !== undefined && end > 0 && text[start - 1] !== '!') {
        links.push({ start, labelEnd: at, end, target: text.slice(at + 2, end - 1) });
        at = end;
      } else at++;
    }
  }
  return links;
}

function targetEnd(text: string, open: number): number {
  const limit = Math.min(text.length, open + targetCharsMax);
  let depth = 0;
  for (let at = open; at < limit; at++) {
    const char = text[at];
    if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at + 1;
    else if (char === ' ' || char === '\n' || char === '[') return -1;
  }
  return -1;
}

function isLinkList(text: string, links: readonly Link[]): boolean {
  let labels = 0;
  let all = text.replace(/[\s|*#>-]/g, '').length;
  for (const link of links) {
    labels += link.labelEnd - link.start - 1;
    all -= link.end - link.labelEnd + 1;
  }
  return labels >= all * linkListShare;
}

function without(text: string, links: readonly Link[]): string {
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
