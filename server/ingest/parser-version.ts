import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
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

/** Returns a hash of the source files below a folder, without tests. */
export function hashOfSources(folder: string): string {
  const hash = createHash('sha256');
  const files = globSync('**/*.ts', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'));
  for (const file of files.toSorted()) hash.update(file).update(readFileSync(join(folder, file)));
  return hash.digest('base64url').slice(0, 12);
}
