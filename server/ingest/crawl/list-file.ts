import { gunzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { linksOfIndexFile } from './index-file.ts';
import { sitemapBytesMax } from './page-kinds.ts';

/** A file that lists a site's pages. */
export interface ListFile {
  kind: 'sitemap' | 'llms' | 'index';
  url: string;
  /** Owns its ArrayBuffer, so it can be transferred. */
  bytes: Uint8Array;
}

export interface Listed {
  pages: { url: string; text: string }[];
  /** Addresses of further sitemaps. */
  sitemaps: string[];
}

/**
 * Reads a file that lists pages. A hostile file can take any time and memory: call this only in a thread that can be
 * terminated.
 */
export function readListFile({ kind, url, bytes }: ListFile): Listed {
  if (kind === 'index') return { pages: linksOfIndexFile(bytes, url), sitemaps: [] };
  const { pages, sitemaps } =
    kind === 'sitemap'
      ? parseSitemap(bytes)
      : { pages: parseLlmsTxt(new TextDecoder().decode(bytes), url), sitemaps: [] };
  return { pages: pages.map((page) => ({ url: page, text: '' })), sitemaps };
}

// Same limit as for a sitemap file.
const linksMax = 50_000;

/** `](<target>)`, `](target)` with balanced parentheses, and bare addresses. */
const targets = /\]\(\s*<([^<>\n]+)>|\]\(\s*([^\s()<>]+(?:\([^\s()<>]*\)[^\s()<>]*)*)|(https?:\/\/[^\s<>()[\]"'`]+)/g;

/** Returns the link targets of an llms.txt in order: Markdown links, `<…>` and bare addresses; absolute, each once. */
export function parseLlmsTxt(text: string, url: string): string[] {
  const found = new Set<string>();
  for (const [, bracketed, plain, bare] of text.matchAll(targets)) {
    const absolute = URL.parse(bracketed ?? plain ?? bare?.replace(/(?<![.,;:!?])[.,;:!?]+$/, '') ?? '', url)?.href;
    if (absolute !== undefined && found.size < linksMax) found.add(absolute);
  }
  return [...found];
}

/** The sitemap protocol's limit for one file. */
const addressesMax = 50_000;
const addressLengthMax = 2_048;

/** A deeper or more broken file is not a sitemap, and reading it to the end would take seconds and all memory. */
const nestingMax = 100;
const faultsMax = 10_000;
/** Characters parsed between two checks of these limits. */
const pieceLength = 65_536;

/** The most common sitemap error: addresses with `&` instead of `&amp;`. */
const bareAmpersand = /&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|\w{1,32});)/gi;

interface Sitemap {
  /** Addresses of further sitemap files; a file has either these or pages. */
  sitemaps: string[];
  pages: string[];
}

/**
 * Reads a sitemap, a sitemap index or a plain list of addresses, optionally gzipped. Only XML's five entities are
 * resolved. Returns as much of a broken file as can be read; for a file that is not a sitemap, the addresses at its
 * start. Throws if gzip data is broken or unpacks to more than 50 MB.
 */
export function parseSitemap(bytes: Uint8Array): Sitemap {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const unpacked = isPacked ? gunzipSync(bytes, { maxOutputLength: sitemapBytesMax }) : bytes;
  const text = new TextDecoder().decode(unpacked);
  return /^\s*</.test(text) ? parseXml(text) : { sitemaps: [], pages: parseList(text) };
}

function parseList(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/, addressesMax)
    .map((line) => line.trim())
    .filter((line) => /^https?:\/\//i.test(line) && line.length <= addressLengthMax);
}

function parseXml(text: string): Sitemap {
  const found: Sitemap = { sitemaps: [], pages: [] };
  const path: string[] = [];
  let location = '';
  const parser = new SaxesParser();
  // The parser can continue after an error, so one bad line does not lose the others.
  let faults = 0;
  parser.on('error', () => {
    faults += 1;
  });
  parser.on('opentag', ({ name }) => {
    path.push(localName(name));
    location = '';
  });
  const addText = (piece: string) => {
    if (path.at(-1) === 'loc' && location.length <= addressLengthMax) location += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const address = location.trim();
    if (path.pop() !== 'loc' || address === '' || address.length > addressLengthMax) return;
    if (path.at(-1) === 'url' && found.pages.length < addressesMax) found.pages.push(address);
    if (path.at(-1) === 'sitemap' && found.sitemaps.length < addressesMax) found.sitemaps.push(address);
    location = '';
  });
  const written = text.replace(bareAmpersand, '&amp;');
  for (let at = 0; at < written.length && path.length <= nestingMax && faults <= faultsMax; at += pieceLength) {
    parser.write(written.slice(at, at + pieceLength));
  }
  return found;
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1).toLowerCase();
}
