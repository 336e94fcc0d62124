import { percentDecoded } from '#contract/lenient.ts';
import type { Block, ExtractedDocument, Link } from '../document.ts';
import { plainText } from '../split/plain-inline.ts';
import { identifiersIn } from './identifiers.ts';

/** More links than any real page has; further links are ignored. */
const linksMax = 20_000;

/** A document being built: the blocks so far, and the anchor for the next block. */
export class Draft {
  readonly blocks: Block[] = [];
  readonly links: Link[] = [];
  title = '';
  private readonly url: string;
  private pendingAnchor: string | undefined;
  private readonly openTerms: number[] = [];

  constructor(url: string) {
    this.url = url;
  }

  /** Adds a block, with the pending anchor unless it has one. Blocks without text are skipped. */
  add(block: Block): void {
    if (block.markdown.trim() === '') return;
    const anchor = this.pendingAnchor ?? block.anchor;
    this.pendingAnchor = undefined;
    this.blocks.push(anchor === undefined ? block : { ...block, anchor });
  }

  /** Removes and returns the blocks from this index on; the first of their anchors becomes the pending one. */
  takeBack(from: number): Block[] {
    const taken = this.blocks.splice(from);
    this.pendingAnchor ??= taken.find(({ anchor }) => anchor !== undefined)?.anchor;
    return taken;
  }

  /** Adds a heading with the names it defines. */
  addHeading(markdown: string, depth: number, anchor?: string): void {
    const identifiers = identifiersIn(markdown);
    this.add({
      ...{ type: 'heading', markdown, depth },
      ...(anchor !== undefined && { anchor }),
      ...(identifiers.length > 0 && { identifiers }),
    });
  }

  /**
   * Adds the heading of a named item, such as an operation or a type; with `isAlone`, the item is a separate snippet.
   */
  addName(name: string, depth: number, anchor: string, identifiers: string[], isAlone = true): void {
    const markdown = `\`${name.replaceAll('`', "'")}\``;
    this.add({ type: 'heading', markdown, depth, anchor, identifiers, ...(isAlone && { isAlone }) });
  }

  addText(type: 'paragraph' | 'list' | 'quote' | 'admonition', markdown: string): void {
    this.add({ type, markdown });
  }

  /** Adds a code block; its fence is longer than any run of backticks in the code. */
  addCode(code: string, language = ''): void {
    this.add({ type: 'code', markdown: fenced(code, language), ...(language === '' ? {} : { language }) });
  }

  /** Opens a term; everything added until `closeTerm` is its body. */
  openTerm(markdown: string, identifiers: string[], anchor?: string): void {
    const before = this.blocks.length;
    // The name's own anchor takes precedence over one written above it.
    if (anchor) this.pendingAnchor = anchor;
    this.add({ type: 'term', markdown, depth: this.openTerms.length + 1, span: 0, identifiers });
    this.openTerms.push(this.blocks.length > before ? before : -1);
  }

  closeTerm(): void {
    const index = this.openTerms.pop() ?? -1;
    const term = this.blocks[index];
    if (term) term.span = this.blocks.length - index - 1;
  }

  /** Sets the next block's anchor; the first of several wins. */
  anchorNext(anchor: string): void {
    if (anchor !== '') this.pendingAnchor ??= anchor;
  }

  /** Returns a link target in absolute form, or undefined if its scheme is not allowed. */
  resolve(target: string): string | undefined {
    if (!URL.canParse(target, this.url)) return undefined;
    const { href, protocol } = new URL(target, this.url);
    if (protocol === 'folder:') return this.url.startsWith(protocol) ? href : undefined;
    return protocol === 'http:' || protocol === 'https:' || protocol === 'file:' || protocol === 'mailto:'
      ? href
      : undefined;
  }

  addLink(url: string, text: string): void {
    if (this.links.length >= linksMax || url.startsWith('mailto:')) return;
    this.links.push({ url, text, fromContent: true, isNofollow: false });
  }

  /** Returns the finished document. If it has no title, its first heading or its file name is used. */
  finish(): ExtractedDocument {
    while (this.openTerms.length > 0) this.closeTerm();
    const heading = this.title === '' ? this.blocks.find(({ type }) => type === 'heading') : undefined;
    const title = this.title || plainText(heading?.markdown ?? '') || titleFromUrl(this.url);
    return { title, isNoindex: false, blocks: this.blocks, links: this.links };
  }
}

/** Returns `code` in a fence that none of its lines can close. */
export function fenced(code: string, language: string): string {
  let longest = 2;
  if (code.includes('```')) for (const run of code.match(/`{3,}/g) ?? []) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${code}\n${fence}`;
}

/** Returns the last part of an address's path, or the title derived from the address if there is none. */
export function fileNameOf(url: string): string {
  return (URL.canParse(url) && new URL(url).pathname.split('/').at(-1)) || titleFromUrl(url);
}

/**
 * Returns the last part of an address's path without its extension, as words: `getting-started.md` → `getting started`.
 */
export function titleFromUrl(url: string): string {
  if (!URL.canParse(url)) return url;
  const name = new URL(url).pathname.split('/').filter(Boolean).at(-1) ?? '';
  const stem = name.replace(/(?:\.[a-z]{1,8}){1,2}$/i, '');
  return percentDecoded(stem).replace(/[-_]+/g, ' ').trim() || new URL(url).host || url;
}

/** Generates heading anchors like code hosts: lower case, no punctuation, hyphens for spaces, repeats numbered. */
export class Slugs {
  private readonly used = new Map<string, number>();

  next(text: string): string {
    const base = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replace(/ /g, '-');
    const count = this.used.get(base);
    this.used.set(base, (count ?? -1) + 1);
    if (count === undefined) return base;
    const numbered = `${base}-${count + 1}`;
    if (!this.used.has(numbered)) this.used.set(numbered, 0);
    return numbered;
  }
}
