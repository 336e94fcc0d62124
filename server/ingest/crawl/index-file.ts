import { inflateSync } from 'node:zlib';

// Names of search and menu files written by generators; the extractor's `indexFileLinks` finds their addresses.
const names =
  /\/(?:swagger-initializer|menudata|navtreedata|navtreeindex\d{1,4}|searchdata|all_[0-9a-f]{1,3}|package-search-index|toc(?:-[0-9a-f]+)?|sidebar_items(?:-\w+)?)\.js$|\/(?:search_index|toc)\.json$|\/objects\.inv$|\/swagger-config(?:\.json)?$|\/_(?:sidebar|navbar)\.md$/;
const linksMax = 50_000;
const inflatedBytesMax = 50_000_000;

/** Returns true for the address of a file that lists pages but is not a page. */
export function isIndexFile(address: string): boolean {
  return names.test(URL.parse(address)?.pathname ?? '');
}

/** Returns the links in an index file: pages and further index files. Returns none if the file cannot be parsed. */
export function linksOfIndexFile(bytes: Uint8Array, address: string): { url: string; text: string }[] {
  const name = (URL.parse(address)?.pathname ?? '').replace(/^.*\//, '');
  const found = new Map<string, string>();
  for (const { href, text } of entriesOf(name, bytes)) {
    const url = URL.parse(href, address);
    if (found.size >= linksMax) break;
    if (url === null) continue;
    url.hash = '';
    if (!found.has(url.href)) found.set(url.href, text);
  }
  return [...found].map(([url, text]) => ({ url, text }));
}

interface Entry {
  href: string;
  text: string;
}

/**
 * Returns the API description addresses in a viewer's settings: `url: "openapi.json"`, one or several, or a file that
 * lists more of them (springdoc).
 */
export function descriptionsIn(script: string): string[] {
  return [...script.matchAll(/["']?\b(?:configU|u)rl["']?\s*:\s*["'`]([^"'`\s<>$]{1,500})["'`]/g)].map(
    ([, href = '']) => href,
  );
}

function* entriesOf(name: string, bytes: Uint8Array): Iterable<Entry> {
  if (name === 'objects.inv') return yield* inventoryEntries(bytes);
  const text = new TextDecoder().decode(bytes);
  if (name === 'searchdata.js') return yield* doxygenSearchFiles(text);
  if (name === 'package-search-index.js') return yield* javadocPackages(text);
  if (name.startsWith('sidebar_items')) return yield* elixirPages(text);
  if (name === 'search_index.json') return yield* matches(text, /"location"\s*:\s*"([^"#\\]{0,500})/g, '../');
  if (name.startsWith('swagger-')) return yield* descriptionsIn(text).map((href) => ({ href, text: '' }));
  if (name === 'toc.json') return yield* matches(text, /"href"\s*:\s*"([^"#\\]{1,500})/g);
  if (name.startsWith('toc')) return yield* matches(text, /\bhref=\\?["']([^"'#\\]{1,500})/g);
  if (name.endsWith('.md')) return yield* docsifyPages(text);
  if (name === 'menudata.js') return yield* matches(text, /\burl\s*:\s*["']([^"'#\\]{1,500})/g);
  yield* matches(text, /["']([^"'\s#\\<>]{1,400}\.x?html?)(?:#[^"']{0,200})?["']/g);
  if (name === 'navtreedata.js') yield* navigationFiles(text);
}

function* matches(text: string, pattern: RegExp, folder = ''): Iterable<Entry> {
  for (const [, href = ''] of text.matchAll(pattern)) {
    // Addresses in index files are relative to the file's folder, also in Doxygen's search.
    if (!/^(?:[a-z][a-z\d+.-]*:|\/\/|javascript)/i.test(href)) yield { href: folder + href, text: '' };
  }
}

/** Docsify's menus link to routes: see `fileOfRoute`. */
function* docsifyPages(text: string): Iterable<Entry> {
  for (const [, target = ''] of text.matchAll(/(?:\]\(|\bhref=["'])\s*<?([^\s()"'<>]{1,500})/g)) {
    const [route = ''] = target.replace(/^\/?#?\//, '').split(/[?#]/, 1);
    if (/^(?:[a-z][a-z\d+.-]*:|\/)/i.test(route) || (route === '' && !target.startsWith('/'))) continue;
    yield { href: fileOfRoute(route), text: '' };
  }
}

/** Returns what a Docsify route shows: `guide/` stands for `guide/README.md`, and `guide/start` for `guide/start.md`. */
function fileOfRoute(route: string): string {
  if (/\.[a-z]\w{0,4}$/i.test(route)) return route;
  return /(?:^|\/)$/.test(route) ? `${route}README.md` : `${route}.md`;
}

/** Returns the file that a link shows in a page of a Docsify site, whose routes begin at the site's folder. */
export function docsifyFile(href: string, folder: string): string {
  const [url, site] = [URL.parse(href), new URL(folder)];
  if (url?.origin !== site.origin) return href;
  const { hash, pathname } = url;
  const isBelow = pathname.startsWith(site.pathname);
  const route = hash.startsWith('#/') ? hash.slice(2) : pathname.slice(isBelow ? site.pathname.length : 1);
  return folder + fileOfRoute(route.replace(/[?#].*/, ''));
}

/** Doxygen's tree is split into files; the data names the first page of each. */
function* navigationFiles(text: string): Iterable<Entry> {
  const from = text.search(/\bNAVTREEINDEX\s*=\s*\[/);
  const [list] = from < 0 ? [] : text.slice(from, from + 100_000).split(']', 1);
  const count = (list?.match(/"[^"]{0,500}"/g) ?? []).length;
  for (let at = 0; at < Math.min(count, 2_000); at++) yield { href: `navtreeindex${at}.js`, text: '' };
}

/** Doxygen's search: the first section contains all entries, with one file per initial letter. */
function* doxygenSearchFiles(text: string): Iterable<Entry> {
  const letters = /\bindexSectionsWithContent\s*=\s*\{\s*0\s*:\s*"([^"]{0,2000})"/.exec(text)?.[1] ?? '';
  const count = [...letters.replace(/\\(.)/g, '$1')].length;
  for (let at = 0; at < Math.min(count, 400); at++) yield { href: `all_${at.toString(16)}.js`, text: '' };
}

function* javadocPackages(text: string): Iterable<Entry> {
  for (const [entry] of text.matchAll(/\{[^{}]{1,1000}\}/g)) {
    const field = (key: string) => new RegExp(`"${key}"\\s*:\\s*"([^"]{1,400})"`).exec(entry)?.[1];
    const [label, address, module] = [field('l'), field('u') ?? field('url'), field('m')];
    if (address !== undefined) yield { href: address, text: label ?? '' };
    else if (label !== undefined && /^[\w$.]+$/.test(label)) {
      const folder = label.replaceAll('.', '/');
      yield { href: `${module === undefined ? '' : `${module}/`}${folder}/package-summary.html`, text: label };
    }
  }
}

/** ExDoc's menu: a list of pages per kind (modules, tasks, guides). The pages are in the parent folder. */
function* elixirPages(text: string): Iterable<Entry> {
  for (const pages of Object.values(menuOf(text))) {
    for (const page of Array.isArray(pages) ? (pages as unknown[]) : []) {
      const id = typeof page === 'object' && page !== null && 'id' in page ? page.id : undefined;
      if (typeof id === 'string' && id !== '') yield { href: `../${encodeURIComponent(id)}.html`, text: '' };
    }
  }
}

function menuOf(script: string): object {
  try {
    const menu: unknown = JSON.parse(script.slice(script.indexOf('{'), script.lastIndexOf('}') + 1));
    return menu as object;
  } catch {
    // Not a menu: the crawl finds the pages through their links.
    return {};
  }
}

/** Sphinx's inventory: four lines of text, then compressed lines of `name domain:role priority address title`. */
function* inventoryEntries(bytes: Uint8Array): Iterable<Entry> {
  let start = 0;
  for (let line = 0; line < 4; line++) start = bytes.indexOf(0x0a, start) + 1;
  if (start === 0 || !new TextDecoder('latin1').decode(bytes.subarray(0, 40)).startsWith('# Sphinx inventory')) return;
  let text: string;
  try {
    text = inflateSync(bytes.subarray(start), { maxOutputLength: inflatedBytesMax }).toString('utf8');
  } catch {
    // Damaged or too large: the crawl finds the pages through their links.
    return;
  }
  for (const [, name = '', href = ''] of text.matchAll(/^(.{1,500}?) +[^\s:]+:\S+ +-?\d+ +(\S+)(?: .*)?$/gm)) {
    yield { href: href.endsWith('$') ? href.slice(0, -1) + name : href, text: '' };
  }
}
