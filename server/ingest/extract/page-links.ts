import type { Link } from '../document.ts';
import { type HtmlElement, squashedText } from './html-tree.ts';

const TEXT_LENGTH_MAX = 200;

// Protocols allowed in Markdown links; for all others (javascript:, data:, blob: …) only the link text is kept.
const SAFE_PROTOCOLS = new Set(['http:', 'https:', 'ftp:', 'mailto:']);

/** Returns true for links between pages of the same folder. */
function isOfFolder(protocol: string, page: string): boolean {
  return (protocol === 'folder:' || protocol === 'file:') && page.startsWith(protocol);
}

/** Resolves a page's addresses to absolute ones. Caches the results, because navigation repeats its targets. */
export class AddressBook {
  readonly base: string;
  /** The page's address without the fragment. */
  readonly page: string;
  readonly #resolved = new Map<string, string | undefined>();

  constructor(pageUrl: string, baseHref?: string) {
    this.page = withoutFragment(parseUrl(pageUrl)?.href ?? pageUrl);
    this.base = (baseHref === undefined ? undefined : parseUrl(baseHref.trim(), pageUrl)?.href) ?? this.page;
  }

  /** Returns the absolute address; undefined if it is invalid or its scheme is not allowed. */
  resolve(href: string): string | undefined {
    const known = this.#resolved.get(href);
    if (known !== undefined || this.#resolved.has(href)) return known;
    const url = parseUrl(href.trim(), this.base);
    const isSafe = url && (SAFE_PROTOCOLS.has(url.protocol) || isOfFolder(url.protocol, this.page));
    const address = isSafe ? url.href : undefined;
    this.#resolved.set(href, address);
    return address;
  }

  /** Returns true if the address leads to a place on the same page. */
  isLocal(href: string): boolean {
    if (href.startsWith('#')) return true;
    if (!href.includes('#')) return false;
    const address = this.resolve(href);
    return address !== undefined && withoutFragment(address) === this.page;
  }
}

/** Returns the page's links for a crawl: web addresses only and each once, preferably from the content. */
export function collectLinks(
  elements: readonly HtmlElement[],
  isContent: (element: HtmlElement) => boolean,
  addresses: AddressBook,
  isPageNofollow: boolean,
): Link[] {
  const links = new Map<string, Link>();
  for (const element of elements) {
    const href = element.attribute('href') ?? element.attribute('src');
    if (!href) continue;
    const url = addresses.resolve(href);
    if (!url || !/^https?:/.test(url)) continue;
    const fromContent = isContent(element);
    const known = links.get(url);
    if (known && (known.fromContent || !fromContent)) continue;
    const isNofollow = isPageNofollow || /\bnofollow\b/i.test(element.attribute('rel') ?? '');
    links.set(url, { url, text: linkText(element), fromContent, isNofollow });
  }
  return [...links.values()];
}

function linkText(element: HtmlElement): string {
  const text = squashedText(element) || element.attribute('aria-label') || element.attribute('title') || '';
  return text.length > TEXT_LENGTH_MAX ? text.slice(0, TEXT_LENGTH_MAX) : text;
}

function parseUrl(href: string, base?: string): URL | undefined {
  return URL.parse(href, base) ?? undefined;
}

function withoutFragment(address: string): string {
  const hash = address.indexOf('#');
  return hash < 0 ? address : address.slice(0, hash);
}
