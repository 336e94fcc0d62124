import { linksOfIndexFile } from './index-file.ts';
import { parseSitemap } from './sitemap.ts';

/** A file in which a site lists its pages. */
export interface ListFile {
  kind: 'sitemap' | 'llms' | 'index';
  url: string;
  /** Owns its ArrayBuffer, so it may be transferred. */
  bytes: Uint8Array;
}

export interface Listed {
  pages: { url: string; text: string }[];
  /** Addresses of further sitemaps. */
  sitemaps: string[];
}

/** Reads such a file. It may be made to take any time and memory: only for a thread that can be ended. */
export function readListFile({ kind, url, bytes }: ListFile): Listed {
  if (kind === 'index') return { pages: linksOfIndexFile(bytes, url), sitemaps: [] };
  const { pages, sitemaps } =
    kind === 'sitemap'
      ? parseSitemap(bytes)
      : { pages: parseLlmsTxt(new TextDecoder().decode(bytes), url), sitemaps: [] };
  return { pages: pages.map((page) => ({ url: page, text: '' })), sitemaps };
}

// As for one sitemap file.
const linksMax = 50_000;

/** `](<target>)`, `](target)` with balanced parentheses, and addresses that stand by themselves. */
const targets = /\]\(\s*<([^<>\n]+)>|\]\(\s*([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)|(https?:\/\/[^\s<>()[\]"'`]+)/g;

/** Targets of the links of an llms.txt in order: Markdown links, `<…>` and bare addresses; absolute, each once. */
export function parseLlmsTxt(text: string, url: string): string[] {
  const found = new Set<string>();
  for (const [, bracketed, plain, bare] of text.matchAll(targets)) {
    const absolute = URL.parse(bracketed ?? plain ?? bare?.replace(/[.,;:!?]+$/, '') ?? '', url)?.href;
    if (absolute !== undefined && found.size < linksMax) found.add(absolute);
  }
  return [...found];
}
