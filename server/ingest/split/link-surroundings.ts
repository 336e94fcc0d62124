import type { Block, Link } from '../document.ts';
import { linksIn, type MarkdownLink } from './markdown-links.ts';
import { plainText } from './plain-inline.ts';

/** Of each side of a link, within its sentence. */
const wordsBeside = 10;
/** Longer ones are cut before they are looked at: ten words are seldom more. */
const charactersBeside = 200;
const surroundingsMax = 240;
const sentenceEnd = /[.!?]["')\]]?\s/g;
/** Items and cells say nothing of one another. */
const itemEnd = /[.!?]["')\]]?\s|[\n|]/g;

/**
 * The links, each that leads from the text with the words around it: what a page says where it sends its readers elsewhere
 * describes the other page in words of their own. Of several links to one page only the first has them.
 */
export function withSurroundings(links: readonly Link[], blocks: readonly Block[]): Link[] {
  const wanted = new Set(links.filter(({ fromContent }) => fromContent).map(({ url }) => withoutFragment(url)));
  const found = new Map<string, string>();
  for (const { type, markdown } of blocks) {
    if (type === 'code' || type === 'heading' || type === 'term' || !markdown.includes('](')) continue;
    const border = type === 'list' || type === 'table' ? itemEnd : sentenceEnd;
    const { text, labels } = withoutTargets(markdown);
    for (const { target, start, end } of labels) {
      const page = withoutFragment(target);
      if (!wanted.has(page) || found.has(page)) continue;
      const before = wordsOf(sentenceBefore(text, start, border)).slice(-wordsBeside);
      const after = wordsOf(sentenceAfter(text, end, border)).slice(0, wordsBeside);
      // A link by itself is called something, and nothing is said of it.
      if (before.length + after.length === 0) continue;
      const label = plainText(text.slice(start, end));
      found.set(page, [...before, label, ...after].join(' ').slice(0, surroundingsMax));
    }
  }
  return links.map((link) => {
    const page = withoutFragment(link.url);
    const around = link.fromContent ? found.get(page) : undefined;
    found.delete(page);
    return around === undefined ? link : { ...link, around };
  });
}

interface Label {
  target: string;
  /** In the text without targets. */
  start: number;
  end: number;
}

/** Links within the label of another are left to stand as they are. */
function withoutTargets(markdown: string): { text: string; labels: Label[] } {
  const labels: Label[] = [];
  let text = '';
  let at = 0;
  for (const { start, labelEnd, end, target } of linksIn(markdown).sort(byStart)) {
    if (start < at) continue;
    text += markdown.slice(at, start);
    labels.push({ target, start: text.length, end: text.length + labelEnd - start - 1 });
    text += markdown.slice(start + 1, labelEnd);
    at = end;
  }
  return { text: text + markdown.slice(at), labels };
}

function byStart(a: MarkdownLink, b: MarkdownLink): number {
  return a.start - b.start;
}

function sentenceBefore(text: string, end: number, border: RegExp): string {
  const before = text.slice(Math.max(0, end - charactersBeside), end);
  const last = [...before.matchAll(border)].at(-1);
  return last === undefined ? before : before.slice(last.index + last[0].length);
}

function sentenceAfter(text: string, start: number, border: RegExp): string {
  const after = text.slice(start, start + charactersBeside);
  const [first] = after.matchAll(border);
  return first === undefined ? after : after.slice(0, first.index + 1);
}

function wordsOf(markdown: string): string[] {
  return plainText(markdown)
    .split(' ')
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function withoutFragment(address: string): string {
  const hash = address.indexOf('#');
  return hash < 0 ? address : address.slice(0, hash);
}
