import { descriptionsIn } from '../crawl/index-file.ts';
import type { Link } from '../document.ts';

/**
 * Files in which a generator stores its pages' search index or menu. They list pages that no link in the HTML leads to
 * (with Doxygen's script menu, all pages). A page's scripts and settings name these files.
 */
const named: readonly [RegExp, string][] = [
  // Doxygen: menu, tree and search.
  [/(?:^|\/)(?:menudata|navtreedata)\.js$/, ''],
  [/(?:^|\/)searchdata\.js$/, ''],
  // mdBook keeps its table of contents in a script.
  [/(?:^|\/)toc(?:-[0-9a-f]+)?\.js$/, ''],
  // ExDoc
  [/(?:^|\/)sidebar_items(?:-\w+)?\.js$/, ''],
  // Sphinx
  [/(?:^|\/)_static\/(?:documentation_options|doctools)\.js$/, '../objects.inv'],
  // MkDocs and its Material theme
  [/(?:^|\/)search\/main\.js$/, 'search_index.json'],
  // Swagger UI keeps the description's address in a script.
  [/(?:^|\/)swagger-initializer\.js$/, ''],
  [/(?:^|\/)assets\/javascripts\/bundle\.[\w.]*js$/, '../../search/search_index.json'],
];

const scriptAddress = /<script\b[^<>]{0,300}?\bsrc\s*=\s*["']?([^"'\s<>]{1,300})/gi;
const javadocRoot = /\bvar\s+pathtoroot\s*=\s*["']([./]{0,200})["']/;
const docfxContents = /<meta\s+(?:name|property)=["']docfx:tocrel["']\s+content=["']([^"'<>]{1,300})\.html["']/i;
const filesMax = 20;

/**
 * Where API viewers store the description's address: Redoc, RapiDoc, Stoplight and AsyncAPI in an attribute, Scalar in
 * its script.
 */
const describedBy =
  /<(?:redoc|rapi-doc\w*|openapi-explorer|elements-api|asyncapi-component)\b[^<>]{0,500}?\s(?:spec-?url|apiDescriptionUrl|schemaUrl)\s*=\s*["']([^"'<>]{1,500})|<script\b(?=[^<>]{0,300}\bid=["']api-reference["'])[^<>]{0,300}?\bdata-url=["']([^"'<>]{1,500})|\bRedoc\.init\(\s*["']([^"'<>]{1,500})/gi;
const viewerCall = /\b(?:SwaggerUIBundle|SwaggerUI|createApiReference)\(/;

const viewerCallMax = 5_000;
const docsifySettings = /<script\b[^<>]*>[^<]*\$docsify\s?=/i;

/** Returns true for a page in which Docsify shows Markdown files; not for one that quotes its settings. */
export function isDocsifyShell(html: string): boolean {
  return docsifySettings.test(html);
}

/** Docsify's start page and menus, which lead to all others. */
function docsifyFiles(html: string): string[] {
  const setting = (name: string) => new RegExp(`\\b${name}\\s*:\\s*["']([^"'<>]{1,300})["']`).exec(html)?.[1];
  const folder = setting('basePath') ?? '';
  const start = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
  return [setting('homepage') ?? 'README.md', '_sidebar.md', '_navbar.md'].map((name) => start + name);
}

/** Returns links to the index files that a page names; none for a page that is not on the web. */
export function indexFileLinks(html: string, base: string): Link[] {
  if (!/^https?:/.test(base)) return [];
  const found = new Set<string>();
  const add = (href: string, from: string): void => {
    const url = URL.parse(href, from)?.href.replace(/[?#].*$/, '');
    if (url !== undefined && found.size < filesMax) found.add(url);
  };
  for (const [, src = ''] of html.matchAll(scriptAddress)) {
    const script = URL.parse(src, base)?.href.replace(/[?#].*$/, '');
    if (script === undefined) continue;
    for (const [pattern, href] of named) if (pattern.test(script)) add(href === '' ? script : href, script);
  }
  for (const [, ...hrefs] of html.matchAll(describedBy)) add(hrefs.find(Boolean) ?? '', base);
  const call = viewerCall.exec(html)?.index;
  if (call !== undefined) for (const href of descriptionsIn(html.slice(call, call + viewerCallMax))) add(href, base);
  const root = javadocRoot.exec(html)?.[1];
  if (root !== undefined) add(`${root}package-search-index.js`, base);
  const contents = docfxContents.exec(html)?.[1];
  if (contents !== undefined) add(`${contents}.json`, base);
  if (isDocsifyShell(html)) for (const href of docsifyFiles(html)) add(href, base);
  return [...found].map((url) => ({ url, text: '', fromContent: false, isNofollow: false }));
}
