import { gunzipSync } from 'node:zlib';
import { SaxesParser } from 'saxes';
import { linksOfIndexFile } from './index-file.ts';
import { sitemapBytesMax } from './page-kinds.ts';

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

/** The limit of the sitemap protocol for one file. */
const addressesMax = 50_000;
const addressLengthMax = 2_048;

/** A file that nests deeper or has more faults is no sitemap: reading on would take seconds and all memory. */
const nestingMax = 100;
const faultsMax = 10_000;
/** Between two pieces of so many characters is looked at whether it is one. */
const pieceLength = 65_536;

/** The commonest fault of sitemaps: addresses whose `&` is not written `&amp;`. */
const bareAmpersand = /&(?!(?:#\d{1,7}|#x[0-9a-f]{1,6}|\w{1,32});)/gi;

interface Sitemap {
  /** Addresses of further sitemap files; a file has either these or pages. */
  sitemaps: string[];
  pages: string[];
}

/**
 * Reads a sitemap, a sitemap index or a plain list of addresses, packed with gzip or not. Entities other than the five
 * of XML are not resolved. Of a broken file it returns what can be read; of a file that is no sitemap, the addresses at its start. Throws when gzip data is broken or unpacks
 * to more than 50 MB.
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
  // The parser can go on after a fault, and a site with one bad line has all its other lines.
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
