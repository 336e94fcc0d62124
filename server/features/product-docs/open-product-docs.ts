import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputOf } from '#contract/endpoint.ts';
import { productDocsEndpoints } from '#contract/product-docs.ts';
import type { Platform } from '#server/platform/open-platform.ts';
import { productVersion } from '#server/platform/product-version.ts';
import { feature, serve } from '../feature.ts';
import { productDocsFrom } from './product-docs.ts';
import { searchProductDocs } from './search-product-docs.ts';

const segmentFile = join(import.meta.dirname, '..', '..', '..', 'dist', 'docs', 'docs.segment');

type Described = Pick<OutputOf<typeof productDocsEndpoints.describeInterface>, 'openapi' | 'paths'>;

/**
 * Opens the product's documentation, as indexed by the build, and the description of its interface. `describe` is
 * called at the first request, because it lists all endpoints of the installation, including this feature's.
 */
export function openProductDocs(
  { config: { productName }, publicUrl: address }: Platform,
  describe: (about: { productName: string; version: string; address: string }) => Described,
) {
  const docs = productDocsFrom(() => readIfThere(segmentFile), productName);
  let described: Described | undefined;
  return feature({
    name: 'product-docs',
    verbs: {},
    endpoints: serve(productDocsEndpoints, {
      searchProductDocs: (ctx, input, { browser }) => searchProductDocs(docs, ctx, input, browser.address),
      describeInterface: async () => (described ??= { ...describe({ productName, version: productVersion, address }) }),
    }),
  });
}

async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
