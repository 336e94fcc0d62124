import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, resolve, sep } from 'node:path';

/** A documentation set with evaluation questions. */
export type DocumentationSet = SiteSet | FolderSet;

interface SetBase {
  /** Module id, and the first part of its pages' addresses or folder. */
  name: string;
  title: string;
  /** Names that people use for it in a question. */
  aliases: string[];
  /** The generator of its pages. */
  format: string;
  /** 1 to 5: questions of one fold are never used to tune against those of another. */
  fold: number;
  /** Debian package and version of the source; otherwise `git` and `commit`. */
  package?: string;
  version?: string;
  git?: string;
  commit?: string;
  /** Folder in the package or repository. */
  dir: string;
}

interface SiteSet extends SetBase {
  kind: 'site';
  package: string;
  index: string;
  seeds?: string[];
  /** Patterns of HTML pages to include, and to exclude. */
  include?: string[];
  exclude?: string[];
}

interface FolderSet extends SetBase {
  kind: 'folder' | 'pdf';
  /** Patterns of the files to include. */
  files?: string[];
}

/** Returns the sets with these names, or all sets for an empty list. */
export function readSets(only: string[]): DocumentationSet[] {
  const sets = JSON.parse(readFileSync(new URL('./sets.json', import.meta.url), 'utf8')) as DocumentationSet[];
  const unknown = only.find((name) => !sets.some((set) => set.name === name));
  if (unknown !== undefined)
    throw new Error(`there is no documentation set "${unknown}"; see eval/questions/sets.json`);
  return only.length === 0 ? sets : sets.filter((set) => only.includes(set.name));
}

/** Returns the folder where fetch-sets.mjs puts the files of a set that is read as a folder. */
export function folderOfSet(base: string, { name }: DocumentationSet): string {
  const folder = resolve(base, 'folders', name);
  if (!existsSync(folder)) throw new Error(`${folder} is missing: run "node eval/questions/fetch-sets.mjs ${base}"`);
  return folder;
}

/** Returns the set's start page, and further ones. */
export function seedsOfSet({ name, index, seeds = [] }: SiteSet, origin: string): string[] {
  return [index, ...seeds].map((page) => `${origin}/${name}/${page}`);
}

/** Serves the site sets on loopback, each below its name. */
export async function serveSets(
  base: string,
  sets: DocumentationSet[],
  port: number,
): Promise<{ origin: string; host: string; stop(): Promise<void> }> {
  const sites = new Map<string, SiteSet>();
  for (const set of sets) if (set.kind === 'site') sites.set(set.name, set);
  for (const set of sites.values()) {
    const root = rootOf(base, set);
    if (!existsSync(root)) throw new Error(`${root} is missing: run "node eval/questions/fetch-sets.mjs ${base}"`);
  }
  const server = createServer((request, response) => void answer(base, sites, request, response));
  await new Promise<void>((fulfil, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', fulfil);
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ origin: `http://${host}`, host },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

function rootOf(base: string, set: SiteSet): string {
  return resolve(base, set.package, set.dir);
}

async function answer(
  base: string,
  sites: Map<string, SiteSet>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://127.0.0.1').pathname);
  const [, name = '', rest = ''] = /^\/([^/]+)\/(.*)$/s.exec(path) ?? [];
  const site = sites.get(name);
  const body = site === undefined ? undefined : await pageOfSite(base, site, rest);
  if (body === undefined) response.writeHead(404, { 'content-type': 'text/plain' }).end('not found\n');
  else response.writeHead(200, { 'content-type': body.type }).end(body.bytes);
}

async function pageOfSite(
  base: string,
  site: SiteSet,
  path: string,
): Promise<{ type: string; bytes: Uint8Array } | undefined> {
  if (path === '' && site.index.includes('/')) return { type: 'text/html', bytes: Buffer.from(listOf(site)) };
  const root = rootOf(base, site);
  const relative = path === '' ? site.index : path.endsWith('/') ? `${path}index.html` : path;
  const file = join(root, relative);
  if (!file.startsWith(root + sep)) return undefined;
  const kind = extname(file).toLowerCase();
  const isPage = kind === '.html' || kind === '.htm';
  if (isPage && !isOfSite(site, relative)) return undefined;
  const bytes = await readFile(file).catch(() => undefined);
  if (bytes === undefined) return undefined;
  return { type: isPage ? htmlType(bytes) : (types[kind] ?? 'application/octet-stream'), bytes };
}

/** Returns a start page for a site without one, whose sections do not link to each other. */
function listOf({ title, index, seeds = [] }: SiteSet): string {
  const items = [index, ...seeds].map((page) => `<li><a href="${page}">${page}</a></li>`);
  return `<!doctype html><title>${title}</title><h1>${title}</h1><ul>${items.join('')}</ul>`;
}

function isOfSite({ include = ['.'], exclude = [] }: SiteSet, path: string): boolean {
  const matches = (pattern: string): boolean => new RegExp(pattern).test(path);
  return include.some(matches) && !exclude.some(matches);
}

/** Returns the content type with the charset that the page declares: some pages are not in UTF-8. */
function htmlType(bytes: Buffer): string {
  const declared = /charset\s*=\s*["']?([\w-]+)/i.exec(bytes.toString('latin1', 0, 2_048));
  return `text/html; charset=${declared?.[1]?.toLowerCase() ?? 'utf-8'}`;
}

const types: Record<string, string> = {
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.xml': 'application/xml',
};
