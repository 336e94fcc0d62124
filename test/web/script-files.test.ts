import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { scriptGroupList } from '../../scripts/script-groups.ts';
import { compressedBytes } from './compressed-bytes.ts';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const build = join(root, 'dist/web');

interface Kind {
  /** Each file costs a phone a round trip, six in parallel. */
  filesMax: number;
  /** Compressed. */
  bytesMax: number;
}

/** A page's scripts before it becomes interactive; `scripts/script-groups.ts` defines the grouping. */
const kinds = {
  text: { filesMax: 10, bytesMax: 137_500 },
  // Its Markdown is read in the browser.
  markdown: { filesMax: 10, bytesMax: 210_500 },
  program: { filesMax: 17, bytesMax: 177_500 },
  'signed in': { filesMax: 28, bytesMax: 216_000 },
} satisfies Record<string, Kind>;

const texts = new Set(
  'home mcp blog blog-how-make-search-good blog-how-does-ref-mcp privacy use-case-turbopuffer use-case-rime docs not-found sign-in signin'.split(
    ' ',
  ),
);

interface RouteScripts {
  id: string;
  parentId?: string;
  module: string;
  imports: string[];
}

interface Manifest {
  entry: { module: string; imports: string[] };
  routes: Record<string, RouteScripts>;
}

describe('a page’s scripts', () => {
  beforeAll(async () => {
    const { ensureWebBuilt } = (await import(join(root, 'scripts/build-web.mjs'))) as {
      ensureWebBuilt(root: string): Promise<void>;
    };
    await ensureWebBuilt(root);
  }, 300_000);

  test('are few for every kind of page, and within its size limit', () => {
    const manifest = readManifest();
    const ids = Object.keys(manifest.routes).filter((id) => id !== 'root');
    expect(ids.length).toBeGreaterThan(40);
    const costs = ids.map((id) => {
      const scripts = [...scriptsOf(manifest, id)];
      const bytes = scripts.reduce((total, file) => total + compressedBytes(join(build, file)), 0);
      return { id, kind: kindOf(manifest, id), files: scripts.length, bytes };
    });
    const isTooMuch = ({ kind, files, bytes }: (typeof costs)[number]) =>
      files > kinds[kind].filesMax || bytes > kinds[kind].bytesMax;
    expect(costs.filter(isTooMuch)).toEqual([]);
  });

  test('are grouped by existing files', () => {
    const isThere = (file: string) =>
      readdirSync(join(root, /^(?:web|contract)\//.test(file) ? '' : 'node_modules', dirname(`${file}.`))).some(
        (name) => name.startsWith(file.endsWith('/') ? '' : basename(file)),
      );
    expect(scriptGroupList.flatMap(({ files }) => files).filter((file) => !isThere(file))).toEqual([]);
  });

  test('contain no import cycles', () => {
    const folder = join(build, 'assets');
    const imports = new Map(
      readdirSync(folder)
        .filter((name) => name.endsWith('.js'))
        .map((name) => [name, importsOf(readFileSync(join(folder, name), 'utf8'))]),
    );
    expect([...imports.values()].flat().length).toBeGreaterThan(200);
    for (const name of imports.keys()) expect([name, circleFrom(name, imports)]).toEqual([name, undefined]);
  });
});

function readManifest(): Manifest {
  const name = readdirSync(join(build, 'assets')).find((file) => /^manifest-\w+\.js$/.test(file));
  if (name === undefined) throw new Error('the build wrote no manifest');
  const text = readFileSync(join(build, 'assets', name), 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as Manifest;
}

function kindOf({ routes }: Manifest, id: string): keyof typeof kinds {
  const name = id.replace('routes/', '');
  if (texts.has(name)) return 'text';
  if (name === 'test-doc2') return 'markdown';
  for (let next: string | undefined = id; next !== undefined; next = routes[next]?.parentId)
    if (next === 'routes/signed-in') return 'signed in';
  return 'program';
}

/** Returns the scripts of the page, its layouts, and the entry. */
function scriptsOf({ entry, routes }: Manifest, id: string): Set<string> {
  const scripts = new Set([entry.module, ...entry.imports]);
  for (let route = routes[id]; route !== undefined; route = routes[route.parentId ?? ''])
    for (const file of [route.module, ...route.imports]) scripts.add(file);
  return scripts;
}

/** What must be there before the script runs. */
function importsOf(text: string): string[] {
  return [...text.matchAll(/(?:\bfrom|\bimport)\s*"\.\/([^"]+\.js)"/g)].map(([, name = '']) => name);
}

function circleFrom(start: string, imports: ReadonlyMap<string, string[]>): string[] | undefined {
  const seen = new Set<string>();
  const follow = (name: string, way: string[]): string[] | undefined => {
    for (const next of imports.get(name) ?? []) {
      if (next === start) return [...way, name];
      if (seen.has(next)) continue;
      seen.add(next);
      const circle = follow(next, [...way, name]);
      if (circle) return circle;
    }
    return undefined;
  };
  return follow(start, []);
}

test('a form submitted before its script runs puts no address or password into the URL', () => {
  const pages = readdirSync(build, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));
  const fields = pages.flatMap((page) => readFileSync(join(build, page), 'utf8').match(/<input\b[^>]*>/g) ?? []);
  const secret = fields.filter((field) => /type="(?:password|email)"/.test(field));
  expect(secret).not.toEqual([]);
  expect(secret.filter((field) => /\sname=/.test(field))).toEqual([]);
});
