import type { ParsedPage } from './crawl-types.ts';
import { normalizeAddress, originOf } from './page-address.ts';
import { htmlSiblingsOf } from './page-kinds.ts';

/** Reads a page's Markdown form from an address with an Accept header. */
export type ReadMarkdown<Page> = (url: string, accept: string) => Promise<Page | undefined>;

const acceptAnything = '*/*';
export const acceptMarkdown = 'text/markdown,text/x-markdown;q=0.9,text/plain;q=0.5,*/*;q=0.1';

/**
 * Finds a page's Markdown form: the page links to it, llms.txt lists it, or the server returns it by content
 * negotiation. The content then comes from the Markdown; links, canonical address and the rest from the HTML.
 */
export class MarkdownTwins {
  readonly #listedBySibling = new Map<string, string>();
  readonly #isDeclared: boolean;
  readonly #isNegotiated: boolean;

  constructor(ways: { listed: Iterable<string>; isDeclared: boolean; isNegotiated: boolean }) {
    this.#isDeclared = ways.isDeclared;
    this.#isNegotiated = ways.isNegotiated;
    for (const twin of ways.listed) {
      for (const sibling of htmlSiblingsOf(twin)) this.#listedBySibling.set(sibling, twin);
    }
  }

  /** Returns the page with its Markdown form's content, or undefined if that is not available. */
  async contentFor<Page extends ParsedPage>(
    url: string,
    html: Page,
    read: ReadMarkdown<Page>,
  ): Promise<{ url: string; page: Page } | undefined> {
    const twin = this.#twinOf(url, html);
    const from = twin ?? (this.#isNegotiated ? url : undefined);
    if (from === undefined) return undefined;
    const markdown = await read(from, twin === undefined ? acceptMarkdown : acceptAnything);
    return markdown && { url: from, page: withContentOf(html, markdown) };
  }

  #twinOf(url: string, html: ParsedPage): string | undefined {
    const declared =
      this.#isDeclared && html.markdownUrl !== undefined ? normalizeAddress(html.markdownUrl) : undefined;
    if (declared !== undefined && declared !== url && originOf(declared) === originOf(url)) return declared;
    const listed = this.#listedBySibling.get(url);
    return listed === url ? undefined : listed;
  }
}

/** Keeps the HTML's hash, because the next crawl compares it first. */
function withContentOf<Page extends ParsedPage>(html: Page, markdown: Page): Page {
  const { title, links, contentHash, isNoindex, canonicalUrl } = html;
  return { ...markdown, title: title || markdown.title, links, contentHash, isNoindex, canonicalUrl };
}
