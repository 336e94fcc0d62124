import { inTurn } from '#server/platform/in-turn.ts';
import { OutboundError, type OutboundResponse } from '#server/platform/outbound/index.ts';
import { CrawlError } from './crawl-error.ts';
import type { Listed, ListFile } from './list-file.ts';
import { normalizeAddress, originOf, pathAndQueryOf } from './page-address.ts';
import { looksHtml, sitemapBytesMax } from './page-kinds.ts';
import { codeOf } from './parse-turns.ts';
import type { PoliteClient } from './polite-client.ts';
import type { RobotsBook } from './robots-book.ts';
import { isInScope, type Scope, upgradeToScope } from './scope.ts';

/** Pages that a site lists itself. Addresses are normalised and in scope, each once, in the site's order. */
export interface SiteMap {
  /** Pages from llms.txt first, then those from sitemaps. */
  pages: string[];
  /** The part of `pages` that llms.txt lists as Markdown. */
  markdown: ReadonlySet<string>;
  /** Lists of pages that could not be read, so that there may be more pages than known. */
  unread: ReadonlySet<string>;
  /** Possible addresses of an llms-full.txt, which usually exists next to an llms.txt. */
  llmsFullCandidates: string[];
}

const sitemapFilesMax = 200;
const sitemapDepthMax = 3;
const llmsBytesMax = 5_000_000;

export interface DiscoveryDeps {
  client: PoliteClient;
  robots: RobotsBook;
  credentialsFor: (url: string) => Record<string, string> | undefined;
  readList: (file: ListFile) => Promise<Listed>;
  /** Returns true when discovery should stop so that the crawl can start on pages. */
  isLate: () => boolean;
  signal: AbortSignal;
  warn: (details: Record<string, unknown>, message: string) => void;
}

interface Discovery extends DiscoveryDeps {
  /** Addresses of files that could not be read but may be readable later. */
  unread: Set<string>;
}

/**
 * Reads llms.txt and the sitemaps: those named by robots.txt, and sitemap.xml at the root and beside the start page.
 * Skips missing or broken files. Stops after `addressesMax` addresses or 200 files, or once `isLate` returns true; the
 * remaining files then count as unread.
 */
export async function discoverSite(scope: Scope, addressesMax: number, given: DiscoveryDeps): Promise<SiteMap> {
  const deps: Discovery = { ...given, unread: new Set() };
  const folders = [...new Set(scope.flatMap((prefix) => [folderOf(prefix), `${originOf(prefix)}/`]))];
  const pages = new Set<string>();
  const markdown = new Set<string>();
  const add = (href: string): string | undefined => {
    const normalized = normalizeAddress(href);
    const address = normalized === undefined ? undefined : upgradeToScope(normalized, scope);
    if (address === undefined || !isInScope(address, scope) || pages.size >= addressesMax) return undefined;
    pages.add(address);
    return address;
  };
  for (const folder of folders) {
    for await (const { url: href } of inTurn(await readLlmsTxt(`${folder}llms.txt`, deps))) {
      const address = add(href);
      if (address !== undefined && /\.mdx?$/i.test(address)) markdown.add(address);
    }
  }
  const origins = new Set(scope.map(originOf));
  const named = [...origins].flatMap((origin) =>
    (deps.robots.of(origin)?.sitemaps ?? []).map((sitemap) => URL.parse(sitemap, `${origin}/`)?.href ?? ''),
  );
  const usual = folders.map((folder) => `${folder}sitemap.xml`).filter((url) => isAllowed(url, deps));
  await readSitemaps([...named, ...usual], add, () => pages.size >= addressesMax, deps);
  const llmsFullCandidates = folders.map((folder) => `${folder}llms-full.txt`).filter((url) => isAllowed(url, deps));
  return { pages: [...pages], markdown, unread: deps.unread, llmsFullCandidates };
}

async function readLlmsTxt(url: string, deps: Discovery): Promise<Listed['pages']> {
  if (!isAllowed(url, deps)) return [];
  const response = await readOptional(url, llmsBytesMax, deps);
  // Many sites return a page for any address.
  if (!response || looksHtml(response.body)) return [];
  return (await listedIn({ kind: 'llms', url: response.url, bytes: response.body }, deps)).pages;
}

async function readSitemaps(
  start: readonly string[],
  add: (href: string) => unknown,
  isFull: () => boolean,
  deps: Discovery,
): Promise<void> {
  // The files to read with their depth, each once; files that another one lists are added while it is read.
  const files = new Map<string, number>();
  const enter = async (hrefs: readonly string[], depth: number) => {
    for await (const href of inTurn(hrefs)) {
      if (files.size >= sitemapFilesMax) return;
      const url = normalizeAddress(href);
      if (url !== undefined && !files.has(url)) files.set(url, depth);
    }
  };
  await enter(start, 1);
  for (const [url, depth] of files) {
    if (isFull()) return;
    if (deps.isLate()) {
      deps.unread.add(url);
      continue;
    }
    const response = await readOptional(url, sitemapBytesMax, deps);
    if (!response || looksHtml(response.body)) continue;
    const { pages, sitemaps } = await listedIn({ kind: 'sitemap', url, bytes: response.body }, deps);
    for await (const page of inTurn(pages)) add(page.url);
    if (depth < sitemapDepthMax) await enter(sitemaps, depth + 1);
  }
}

/** Returns the pages that a file lists; none if it cannot be read. */
async function listedIn(file: ListFile, { readList, signal, warn }: Discovery): Promise<Listed> {
  try {
    return await readList(file);
  } catch (error) {
    signal.throwIfAborted();
    if (codeOf(error) === 'parse-closed') throw error;
    warn({ url: file.url, err: error }, 'a file that lists pages could not be read');
    return { pages: [], sitemaps: [] };
  }
}

/** Returns the response if it is a 200 after redirects; undefined for any other outcome, since the file is optional. */
async function readOptional(url: string, bytesMax: number, deps: Discovery): Promise<OutboundResponse | undefined> {
  try {
    const credentials = deps.credentialsFor(url);
    const response = await deps.client.request(url, {
      bytesMax,
      redirectsMax: 5,
      onHead: (head) => (head.status === 200 ? 'read' : 'stop'),
      ...(credentials ? { credentials } : {}),
    });
    if (response.status === 429 || response.status >= 500) deps.unread.add(url);
    return response.status === 200 ? response : undefined;
  } catch (error) {
    // Failures and requests of another host must not end this crawl.
    const isOfOtherHost = error instanceof CrawlError && deps.robots.of(originOf(error.url)) === undefined;
    if (!(error instanceof OutboundError) && !isOfOtherHost) throw error;
    deps.unread.add(url);
    deps.warn({ url, code: error.code }, 'a file that lists pages could not be read');
    return undefined;
  }
}

function isAllowed(url: string, { robots }: DiscoveryDeps): boolean {
  return robots.of(originOf(url))?.isAllowed(pathAndQueryOf(url)) ?? false;
}

function folderOf(prefix: string): string {
  return prefix.slice(0, prefix.lastIndexOf('/') + 1);
}
