import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '#server/config.ts';
import { productDocsFrom } from '#server/features/product-docs/index.ts';
import type { ProductDocsCallDependencies } from '#server/http/product-docs-calls.ts';
import { productVersion } from './product-version.ts';

const segmentFile = join(import.meta.dirname, '..', 'dist', 'docs', 'docs.segment');

/** The documentation that the build has indexed, and what its reference says of this installation. */
export function wireProductDocs({ productName }: Config, publicUrl: string): ProductDocsCallDependencies {
  return {
    productDocs: productDocsFrom(() => readIfThere(segmentFile), productName),
    about: { productName, version: productVersion, address: publicUrl },
  };
}

async function readIfThere(file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
