import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url)).replace(/\/$/, '');
const build = join(root, 'dist/web');

beforeAll(async () => {
  const { ensureWebBuilt } = (await import(join(root, 'scripts/build-web.mjs'))) as {
    ensureWebBuilt(root: string): Promise<void>;
  };
  await ensureWebBuilt(root);
}, 300_000);

test('prerendered pages have no controls inside Suspense, where React replaces them and loses clicks on them', () => {
  const pages = globSync('**/*.html', { cwd: build });
  expect(pages.length).toBeGreaterThan(100);
  const found = pages.flatMap((page) => controlsInSuspense(readFileSync(join(build, page), 'utf8')));
  expect([...new Set(found)]).toEqual([]);
});

/**
 * Returns the start tags of links, buttons and fields between the comments that React writes around a boundary, and of
 * templates, which stand for content that React writes further down.
 */
function controlsInSuspense(html: string): string[] {
  const parts = html.matchAll(/<!--\/\$-->|<!--\$[?!]?-->|<(?:a|button|input|select|textarea|template)\b[^>]*>/g);
  let depth = 0;
  return [...parts].flatMap(([part]) => {
    if (part === '<!--/$-->') depth -= 1;
    else if (part.startsWith('<!--$')) depth += 1;
    else if (depth > 0) return part;
    return [];
  });
}
