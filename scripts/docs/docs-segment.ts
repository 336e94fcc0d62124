import type { DocsPage } from '../../contract/product-docs.ts';
import { placeholders } from '../../contract/public-page.ts';
import { SegmentBuilder } from '../../server/engine/index.ts';
import { productDocsAddress } from '../../server/features/product-docs/index.ts';
import { parsePage } from '../../server/ingest/parse/parse-page.ts';

/** Pages that list others: in an index, their titles would match every question. */
export const listPages: ReadonlySet<string> = new Set(['/docs', '/docs/errors']);

/**
 * Returns the index of the documentation, built by the same indexer as all other documentation. Its anchors are the
 * pages' anchors. The same pages give the same bytes.
 */
export function docsSegment(pages: readonly DocsPage[]): Uint8Array {
  const builder = new SegmentBuilder();
  for (const { path, title, markdown, updatedOn } of pages) {
    if (listPages.has(path)) continue;
    const url = productDocsAddress + path;
    const text = markdown.replaceAll(placeholders.productName, 'Lectern');
    const { snippets, contentHash } = parsePage({ url, bytes: Buffer.from(text), format: 'markdown' });
    builder.addPage({ url, title, fetchedAt: Date.parse(updatedOn), contentHash, snippets });
  }
  return builder.finish();
}
