import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicPageOf, writtenDocs } from '../../contract/product-docs.ts';
import type { PublicPage } from '../../contract/public-page-schema.ts';

/** Returns the documentation pages as entries of the public pages list; empty before they are built. */
export function docsPages(root: string): PublicPage[] {
  const file = join(root, 'dist/docs/pages.json');
  if (!existsSync(file)) return [];
  return writtenDocs.parse(JSON.parse(readFileSync(file, 'utf8'))).pages.map(publicPageOf);
}
