import { markdownPathOf, placeholders } from '#contract/public-page.ts';
import type { PublicPage } from '#contract/public-page-schema.ts';
import type { CompressedTexts } from './compressed-texts.ts';
import { feed } from './feed.ts';
import type { InstallationName } from './installation-name.ts';
import { llmsFile } from './llms-file.ts';
import { prefersMarkdown } from './prefers-markdown.ts';
import { robotsFile, siteMap } from './site-map.ts';
import { textAnswer } from './text-answer.ts';
import { webManifest } from './web-manifest.ts';

/** Makes Markdown of one of our pages and counts its tokens (o200k). */
export type ToMarkdown = (html: string, url: string) => Promise<MarkdownTwin>;

export interface MarkdownTwin {
  markdown: string;
  tokens: number;
}

interface PublicTextsParts {
  pages: readonly PublicPage[];
  installation: InstallationName;
  texts: CompressedTexts;
  toMarkdown: ToMarkdown;
  /** The built page at a path as people get it, or undefined when the build has none. */
  pageAt(path: string, address: string): Promise<string | undefined>;
}

/** Returns what is made from the list of public pages; undefined when `path` is none of it. */
export function createPublicTexts(
  parts: PublicTextsParts,
): (path: string, headers: Headers) => Promise<Response | undefined> {
  const { installation, texts } = parts;
  const { productName } = installation;
  const pages = parts.pages.map((page) => named(page, productName));
  const made: Record<string, { type: string; make(address: string): string }> = {
    '/sitemap.xml': { type: 'application/xml', make: (address) => siteMap(pages, address) },
    '/robots.txt': { type: 'text/plain', make: (address) => robotsFile(address) },
    '/llms.txt': { type: 'text/plain', make: (address) => llmsFile(pages, productName, address) },
    '/site.webmanifest': { type: 'application/manifest+json', make: () => webManifest(productName) },
    '/blog/rss.xml': { type: 'application/rss+xml', make: (address) => feed(pages, productName, address) },
  };
  const byPath = new Map(pages.map((page) => [page.path, page]));
  const byMarkdownPath = new Map(pages.map((page) => [markdownPathOf(page.path), page]));
  const twinOf = createTwins(parts.toMarkdown);
  return async (path, headers) => {
    const address = installation.addressAt(headers.get('host') ?? '');
    const file = Object.hasOwn(made, path) ? made[path] : undefined;
    if (file !== undefined) {
      return textAnswer(headers, texts, { text: file.make(address), type: `${file.type}; charset=utf-8` });
    }
    const asked = byPath.get(path);
    const page = asked !== undefined && prefersMarkdown(headers.get('accept')) ? asked : byMarkdownPath.get(path);
    const html = page && (await parts.pageAt(page.path, address));
    if (page === undefined || html === undefined) return undefined;
    const { markdown, tokens } = await twinOf(html, address + page.path);
    return textAnswer(headers, texts, {
      text: markdown,
      type: 'text/markdown; charset=utf-8',
      headers: { 'x-markdown-tokens': String(tokens), link: `<${address}${page.path}>; rel="canonical"` },
      vary: asked === undefined ? [] : ['accept'],
    });
  };
}

/** What is said of a page of the documentation, with the name of this installation in place of what the build has written. */
function named(page: PublicPage, productName: string): PublicPage {
  const [title, description] = [page.title, page.description].map((text) =>
    text.replaceAll(placeholders.productName, productName),
  ) as [string, string];
  return { ...page, title, description };
}

/** Twins that were made are kept with the page they were made of: the page is the key. */
function createTwins(toMarkdown: ToMarkdown): ToMarkdown {
  const kept = new Map<string, MarkdownTwin & { html: string }>();
  return async (html, url) => {
    const known = kept.get(url);
    if (known?.html === html) return known;
    const twin = { ...(await toMarkdown(html, url)), html };
    kept.set(url, twin);
    return twin;
  };
}
