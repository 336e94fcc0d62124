import type { Context } from '#server/context.ts';
import { listLibraryKeys } from '#server/features/indexing/index.ts';
import { listPdfKeys } from '#server/features/pdf-sets/index.ts';

/** Returns the key of every blob that a row names. */
export async function listNamedKeys(ctx: Pick<Context, 'db'>): Promise<string[]> {
  return [...(await listLibraryKeys(ctx)), ...(await listPdfKeys(ctx))];
}

/** Returns true for what a crawl left for the next one; a module may be without. */
export function isOptional(key: string): boolean {
  return key.startsWith('crawls/');
}
