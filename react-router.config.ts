import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Config } from '@react-router/dev/config';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';
import { placeholders } from './contract/public-page.ts';
import { docsPages } from './scripts/docs/docs-pages.ts';
import { withScripts } from './scripts/scripts-of-routes.ts';
import { startPage } from './scripts/start-of-pages.ts';
import { publicPages as listedPages } from './web/lib/public-pages.ts';

/** Those of the documentation are not in the list that every browser gets: there are many. */
const publicPages = [...listedPages, ...docsPages(import.meta.dirname)];
const buildDirectory = 'dist/web-build';
/** Has no route, so that the page for such addresses is written. */
const notFoundPath = '/404';

export default {
  appDirectory: 'web',
  buildDirectory,
  ssr: false,
  prerender: [...publicPages.map(({ path }) => path), '/login', '/signup', '/auth/reset-password', notFoundPath],
  // Every route is named in the first page, so that the server needs no manifest endpoint.
  routeDiscovery: { mode: 'initial' },
  // What a route waits for is small: in a script of its own it would be one more to ask for.
  splitRouteModules: false,
  async buildEnd({ reactRouterConfig }) {
    const built = reactRouterConfig.buildDirectory;
    const served = join(dirname(built), 'web');
    await writeFile(join(built, 'client', 'public-pages.json'), JSON.stringify(publicPages));
    const routes = pathsOf(Object.values(reactRouterConfig.routes));
    await writeFile(join(built, 'client', 'routes.json'), JSON.stringify(withScripts(routes, join(built, 'client'))));
    await rename(join(built, 'client', notFoundPath, 'index.html'), join(built, 'client', '__not-found.html'));
    await rm(join(built, 'client', notFoundPath), { recursive: true });
    await startPages(join(built, 'client'));
    await writeFile(join(built, 'client', 'csp.json'), JSON.stringify(await listScriptHashes(join(built, 'client'))));
    await compressTexts(join(built, 'client'));
    await rm(served, { recursive: true, force: true });
    await rename(join(built, 'client'), served);
    await rm(built, { recursive: true, force: true });
  },
} satisfies Config;

interface Route {
  id: string;
  path?: string;
  index?: boolean;
  parentId?: string;
}

/** Ids of the routes that have a page of their own, by the pattern of its path: not of layouts, nor of the page for all other paths. */
function pathsOf(routes: Route[]): [path: string, id: string][] {
  const byId = new Map(routes.map((route) => [route.id, route]));
  const segmentsOf = (route: Route | undefined): string[] =>
    route === undefined ? [] : [...segmentsOf(byId.get(route.parentId ?? '')), ...(route.path ?? '').split('/')];
  return routes
    .filter(({ path, index }) => index || path)
    .map((route): [string, string] => [`/${segmentsOf(route).filter(Boolean).join('/')}`, route.id])
    .filter(([path]) => path !== '/*');
}

/** Below this a compressed file saves no packet. */
const compressedBytesMin = 1_000;

/**
 * Writes a brotli and a gzip file beside each text file; the server sends them to readers that take them. Pages are left
 * to the server, which puts its name and address into them first.
 */
async function compressTexts(folder: string): Promise<void> {
  const texts = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:js|css|svg|txt)$/.test(name));
  const compress = async (name: string): Promise<void> => {
    const bytes = await readFile(join(folder, name));
    if (bytes.byteLength < compressedBytesMin) return;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
  };
  await Promise.all(texts.map(compress));
}

async function startPages(folder: string): Promise<void> {
  for (const name of await htmlFilesIn(folder)) {
    const path = `/${name.replace(/\/?index\.html$/, '')}`;
    const { html, script } = startPage(await readFile(join(folder, name), 'utf8'), {
      path,
      bytesOf: (file) => statSync(join(folder, file)).size,
    });
    await writeFile(join(folder, name), html);
    if (script !== undefined) await writeFile(join(folder, script.path), script.text);
  }
}

async function htmlFilesIn(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.html'));
}

/** Hashes of the inline scripts of each built page, by its file, for the `script-src` it is served with. */
async function listScriptHashes(folder: string): Promise<Record<string, string[]>> {
  const pages = await htmlFilesIn(folder);
  const hashesOf = async (name: string): Promise<[string, string[]]> => {
    const scripts = inlineScriptsOf(parse(await readFile(join(folder, name), 'utf8')));
    if (scripts.some((script) => Object.values(placeholders).some((placeholder) => script.includes(placeholder)))) {
      throw new Error(`an inline script of ${name} names the product or its address: its hash would change`);
    }
    return [name, scripts.map((script) => `sha256-${createHash('sha256').update(script).digest('base64')}`)];
  };
  return Object.fromEntries(await Promise.all(pages.map(hashesOf)));
}

function inlineScriptsOf(node: DefaultTreeAdapterTypes.Node): string[] {
  const scripts: string[] = [];
  if (node.nodeName === 'script' && 'attrs' in node && !node.attrs.some(({ name }) => name === 'src')) {
    scripts.push(node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''));
  }
  if ('childNodes' in node) for (const child of node.childNodes) scripts.push(...inlineScriptsOf(child));
  return scripts;
}
