import { escapeUTF8 } from 'entities/escape';
import { markdownPathOf, placeholders } from '#contract/public-page.ts';
import type { PublicPage } from '#contract/public-page-schema.ts';
import type { CompressedTexts } from './compressed-texts.ts';
import type { InstallationName } from './installation-name.ts';
import { textAnswer } from './text-answer.ts';

/** Converts one of our pages to Markdown and counts its tokens (o200k). */
export type ToMarkdown = (html: string, url: string) => Promise<MarkdownTwin>;

interface MarkdownTwin {
  markdown: string;
  tokens: number;
}

interface PublicTextsParts {
  pages: readonly PublicPage[];
  installation: InstallationName;
  texts: CompressedTexts;
  toMarkdown: ToMarkdown;
  /** Returns the built page at a path as people get it; undefined if it is not in the build. */
  pageAt(path: string, address: string): Promise<string | undefined>;
}

/** Returns a handler for the texts generated from the list of public pages; it returns undefined for other paths. */
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

/** Replaces the build's product name in a page's metadata with this installation's. */
function named(page: PublicPage, productName: string): PublicPage {
  const [title, description] = [page.title, page.description].map((text) =>
    text.replaceAll(placeholders.productName, productName),
  ) as [string, string];
  return { ...page, title, description };
}

/** Caches Markdown twins, keyed by the HTML page. */
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

/** Returns the posts as RSS 2.0, newest first. */
function feed(pages: readonly PublicPage[], productName: string, address: string): string {
  const posts = pages
    .filter(({ kind }) => kind === 'post')
    .sort((a, b) => b.publishedOn.localeCompare(a.publishedOn) || a.path.localeCompare(b.path));
  const changedOn = posts
    .map(({ updatedOn }) => updatedOn)
    .sort()
    .at(-1);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom">',
    '<channel>',
    element('title', `${productName} blog`),
    element('link', `${address}/blog`),
    element('description', `How ${productName} works, with figures and how to reproduce them.`),
    element('language', 'en'),
    ...(changedOn === undefined ? [] : [element('lastBuildDate', rssDate(changedOn))]),
    `<atom:link href="${escapeUTF8(address)}/blog/rss.xml" rel="self" type="application/rss+xml"/>`,
    ...posts.map((post) => item(post, address)),
    '</channel>',
    '</rss>',
    '',
  ].join('\n');
}

function item({ path, title, description, publishedOn }: PublicPage, address: string): string {
  return [
    '<item>',
    element('title', title),
    element('link', address + path),
    `<guid isPermaLink="true">${escapeUTF8(address + path)}</guid>`,
    element('pubDate', rssDate(publishedOn)),
    element('description', description),
    '</item>',
  ].join('\n');
}

function element(name: string, text: string): string {
  return `<${name}>${escapeUTF8(text)}</${name}>`;
}

/** Formats a day as RFC 822 requires. */
function rssDate(day: string): string {
  return new Date(`${day}T00:00:00Z`).toUTCString();
}

const sections: { title: string; kind: PublicPage['kind'] }[] = [
  { title: 'Documentation', kind: 'docs' },
  { title: 'Pages', kind: 'page' },
  { title: 'Use cases', kind: 'use-case' },
  { title: 'Blog', kind: 'post' },
];

/** Returns llms.txt, an overview for agents as https://llmstxt.org proposes; links lead to each page's Markdown. */
function llmsFile(pages: readonly PublicPage[], productName: string, address: string): string {
  const lists = sections.flatMap(({ title, kind }) => {
    const listed = pages.filter((page) => page.kind === kind);
    if (listed.length === 0) return [];
    const lines = listed.map(
      (page) => `- [${page.title}](${address}${markdownPathOf(page.path)}): ${page.description}`,
    );
    return [`## ${title}\n\n${lines.join('\n')}`];
  });
  return [
    `# ${productName}`,
    '> Context for your agent: searches documentation and returns the passages that hold the answer, over MCP.',
    `The MCP server is at ${address}/mcp (streamable HTTP). It takes an API key in the header Authorization (Bearer), ` +
      'or lets a person connect it with OAuth. Every page listed here is Markdown; the same path without .md is the ' +
      'page for people, which is also sent as Markdown to requests with "Accept: text/markdown".',
    ...lists,
    '',
  ].join('\n\n');
}

/**
 * Returns true if a request prefers Markdown: it names `text/markdown` and does not give HTML a higher weight. A
 * wildcard never selects Markdown; the most specific range sets HTML's weight (RFC 9110, 12.5.1).
 */
function prefersMarkdown(accept: string | null): boolean {
  const weights = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (range !== '') weights.set(range, weight === undefined ? 1 : Number(weight) || 0);
  }
  const markdown = weights.get('text/markdown') ?? 0;
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0;
  return markdown > 0 && markdown >= html;
}

/** Returns the manifest for the home screen. */
function webManifest(productName: string): string {
  const icon = (pixels: number) => ({
    src: `/icon-${pixels}.png`,
    sizes: `${pixels}x${pixels}`,
    type: 'image/png',
    purpose: 'any maskable',
  });
  return `${JSON.stringify({
    name: productName,
    short_name: productName,
    start_url: '/dashboard',
    display: 'minimal-ui',
    background_color: '#f8fbf8',
    theme_color: '#f8fbf8',
    icons: [icon(192), icon(512)],
  })}\n`;
}

/** Returns the site map for search engines, as https://www.sitemaps.org/protocol.html specifies. */
function siteMap(pages: readonly PublicPage[], address: string): string {
  const urls = pages.map(
    ({ path, updatedOn }) =>
      `  <url>\n    <loc>${escapeUTF8(address + path)}</loc>\n    <lastmod>${updatedOn}</lastmod>\n  </url>`,
  );
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...urls,
    '</urlset>',
    '',
  ].join('\n');
}

/** Paths without pages for crawlers: interfaces, and addresses that contain codes from emails. */
const closedPaths = ['/api/', '/callable/', '/admin/', '/auth/', '/sign-in/', '/accept/', '/oauth/', '/billing/'];

/** Returns the rules for crawlers (RFC 9309). */
function robotsFile(address: string): string {
  return [
    'User-agent: *',
    ...closedPaths.map((path) => `Disallow: ${path}`),
    '',
    `Sitemap: ${address}/sitemap.xml`,
    '',
  ].join('\n');
}
