import { createHash } from 'node:crypto';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Config } from '@react-router/dev/config';
import { type DefaultTreeAdapterTypes, parse } from 'parse5';

const buildDirectory = 'dist/web-build';

export default {
  appDirectory: 'web',
  buildDirectory,
  ssr: false,
  prerender: ['/', '/login', '/signup', '/auth/reset-password'],
  // Every route is named in the first page, so that the server needs no manifest endpoint.
  routeDiscovery: { mode: 'initial' },
  async buildEnd({ reactRouterConfig }) {
    const built = reactRouterConfig.buildDirectory;
    const served = join(dirname(built), 'web');
    await writeFile(join(built, 'client', 'csp.json'), JSON.stringify(await listScriptHashes(join(built, 'client'))));
    await compressTexts(join(built, 'client'));
    await rm(served, { recursive: true, force: true });
    await rename(join(built, 'client'), served);
    await rm(built, { recursive: true, force: true });
  },
} satisfies Config;

/** Below this a compressed file saves no packet. */
const compressedBytesMin = 1_000;

/** Writes a brotli and a gzip file beside each text file; the server sends them to readers that take them. */
async function compressTexts(folder: string): Promise<void> {
  const texts = (await readdir(folder, { recursive: true })).filter((name) => /\.(?:html|js|css|svg|txt)$/.test(name));
  const compress = async (name: string): Promise<void> => {
    const bytes = await readFile(join(folder, name));
    if (bytes.byteLength < compressedBytesMin) return;
    const params = { [constants.BROTLI_PARAM_QUALITY]: 10, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.byteLength };
    await writeFile(join(folder, `${name}.br`), await promisify(brotliCompress)(bytes, { params }));
    await writeFile(join(folder, `${name}.gz`), await promisify(gzip)(bytes, { level: 9 }));
  };
  await Promise.all(texts.map(compress));
}

/** Hashes of all inline scripts of the built pages, for the server's `script-src`. */
async function listScriptHashes(folder: string): Promise<{ scriptHashes: string[] }> {
  const hashes = new Set<string>();
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith('.html')) continue;
    for (const script of inlineScriptsOf(parse(await readFile(join(folder, name), 'utf8')))) {
      hashes.add(`sha256-${createHash('sha256').update(script).digest('base64')}`);
    }
  }
  return { scriptHashes: [...hashes].sort() };
}

function inlineScriptsOf(node: DefaultTreeAdapterTypes.Node): string[] {
  const scripts: string[] = [];
  if (node.nodeName === 'script' && 'attrs' in node && !node.attrs.some(({ name }) => name === 'src')) {
    scripts.push(node.childNodes.map((child) => ('value' in child ? child.value : '')).join(''));
  }
  if ('childNodes' in node) for (const child of node.childNodes) scripts.push(...inlineScriptsOf(child));
  return scripts;
}
