import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { productVersion } from '#server/platform/product-version.ts';

let known: string | undefined;

/**
 * Returns an id of the code that turns sources into passages. A refresh reads unchanged pages again if they were read
 * by other code.
 */
export function parserVersion(): string {
  return (known ??= `${productVersion} ${hashOfSources(import.meta.dirname)}`);
}

/** Returns a hash of the source files below a folder, without tests; in the npm package they are `.js`. */
export function hashOfSources(folder: string): string {
  const hash = createHash('sha256');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => /\.[jt]s$/.test(name) && !name.endsWith('.test.ts'));
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('base64url').slice(0, 12);
}
