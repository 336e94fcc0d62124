import { HtmlElement, squash, textOf } from './html-tree.ts';

/** Metadata from a page's head; addresses as written. */
export interface PageHead {
  title: string;
  baseHref?: string;
  canonicalHref?: string;
  markdownHref?: string;
  refreshHref?: string;
  generator?: string;
  /** Text of `og:site_name` or `application-name`. */
  siteName?: string;
  isNoindex: boolean;
  isNofollow: boolean;
}

// Later refreshes reload a live page rather than redirect the reader.
const REFRESH_SECONDS_MAX = 15;

/** Reads title, `meta` and `link`, including misplaced ones in the body, which browsers accept. */
export function readHead(document: HtmlElement): PageHead {
  const head: PageHead = { title: '', isNoindex: false, isNofollow: false };
  for (const element of headElements(document)) {
    switch (element.name) {
      case 'title':
        head.title ||= squash(textOf(element));
        break;
      case 'base':
        head.baseHref ??= element.attribute('href') || undefined;
        break;
      case 'link':
        readLink(head, element);
        break;
      case 'meta':
        readMeta(head, element);
        break;
      default:
        break;
    }
  }
  return head;
}

function headElements(document: HtmlElement): HtmlElement[] {
  const found: HtmlElement[] = [];
  const roots = document.children.filter((child): child is HtmlElement => child instanceof HtmlElement);
  for (const root of roots) {
    found.push(root);
    for (const part of root.children) {
      if (!(part instanceof HtmlElement)) continue;
      for (const child of part.children) if (child instanceof HtmlElement) found.push(child);
    }
  }
  return found;
}

function readLink(head: PageHead, element: HtmlElement): void {
  const href = element.attribute('href');
  if (!href) return;
  const relations = (element.attribute('rel') ?? '').toLowerCase().split(/\s+/);
  if (relations.includes('canonical')) head.canonicalHref ??= href;
  const type = (element.attribute('type') ?? '').toLowerCase();
  if (relations.includes('alternate') && /^text\/(x-)?markdown\b/.test(type)) head.markdownHref ??= href;
}

function readMeta(head: PageHead, element: HtmlElement): void {
  const content = element.attribute('content') ?? '';
  const name = (element.attribute('name') ?? element.attribute('property') ?? '').toLowerCase();
  if (name === 'robots') {
    if (/\b(noindex|none)\b/i.test(content)) head.isNoindex = true;
    if (/\b(nofollow|none)\b/i.test(content)) head.isNofollow = true;
  } else if (name === 'generator') {
    head.generator ??= squash(content) || undefined;
  } else if (name === 'og:site_name' || name === 'application-name') {
    head.siteName ??= squash(content) || undefined;
  } else if ((element.attribute('http-equiv') ?? '').toLowerCase() === 'refresh') {
    head.refreshHref ??= refreshTarget(content);
  }
}

function refreshTarget(content: string): string | undefined {
  const match = /^\s*(\d*)(?:\.\d*)?\s*[;,\s]\s*(?:url\s*=\s*)?(.*)$/is.exec(content);
  if (!match || Number(match[1] || 0) > REFRESH_SECONDS_MAX) return undefined;
  const target = match[2]!.trim();
  const quote = target[0];
  if (quote !== '"' && quote !== "'") return target || undefined;
  const end = target.indexOf(quote, 1);
  return target.slice(1, end < 0 ? undefined : end) || undefined;
}
