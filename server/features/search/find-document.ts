import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import type { FoundPage, Shelf } from '#server/features/catalog/index.ts';
import { requireRight } from '#server/features/teams/index.ts';
import { type AskedAddress, parseAddress } from './page-addresses.ts';
import { type PageToRead, pageOfSegment } from './page-to-read.ts';

export interface DocumentAddress {
  url: string;
  moduleId?: string | undefined;
  visibility?: 'public' | 'private' | undefined;
}

export interface FoundDocument {
  address: AskedAddress;
  found: FoundPage;
  page: PageToRead;
  /** Pages with the same address in other modules that the actor can read. */
  others: FoundPage[];
}

/**
 * Returns the page with this address: in the named module, else in the module where a read would find it. Throws
 * `document-not-found` both for a page that is not indexed and for a page in another user's module.
 */
export async function findDocument(shelf: Shelf, ctx: Context, input: DocumentAddress): Promise<FoundDocument> {
  requireRight(ctx, 'docs.search');
  const address = parseAddress(input.url);
  for (const url of address.candidates) {
    const pages = await shelf.findPages(ctx, url);
    const found = pages.find((page) => isMeant(page, input));
    if (found === undefined) continue;
    const page = await pageOfSegment(found.segment, found.pageIndex, found.module.moduleId);
    return { address, found, page, others: pages.filter((other) => other !== found) };
  }
  throw new AppError('document-not-found', { values: { url: address.candidates[0] ?? input.url } });
}

function isMeant({ module }: FoundPage, { moduleId, visibility }: DocumentAddress): boolean {
  return (
    (moduleId === undefined || module.moduleId === moduleId) &&
    (visibility === undefined || module.visibility === visibility)
  );
}
