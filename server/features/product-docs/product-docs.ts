import { docsPage } from '#contract/product-docs.ts';
import { openSegment, type Segment } from '#server/engine/index.ts';

/** Address of the documentation's pages in its index, which each installation replaces by its own. */
export const productDocsAddress = 'https://product.invalid';

/** The product's documentation as indexed by the build. */
export interface ProductDocs {
  /** This installation's name for the product, which its documentation calls Lectern. */
  productName: string;
  /**
   * Returns the segment; undefined if the installation was started without a build. Read at the first call, then
   * cached.
   */
  segment(): Promise<Segment | undefined>;
}

/** Creates the documentation from its segment's bytes, which `read` returns, or undefined if there are none. */
export function productDocsFrom(read: () => Promise<Uint8Array | undefined>, productName: string): ProductDocs {
  let opened: Promise<Segment | undefined> | undefined;
  const open = async (): Promise<Segment | undefined> => {
    const bytes = await read();
    if (bytes === undefined) return undefined;
    return openSegment({
      byteLength: bytes.byteLength,
      read: (offset, length) => {
        if (offset < 0 || offset + length > bytes.byteLength) throw new RangeError('past the end of the index');
        return bytes.subarray(offset, offset + length);
      },
    });
  };
  return {
    productName,
    segment: () => {
      opened ??= open().catch((error: unknown) => {
        // Let the next search try again.
        opened = undefined;
        throw error;
      });
      return opened;
    },
  };
}

/** Returns the section of a documentation path; null for the first page. */
export function sectionOf(path: string): ReturnType<typeof docsPage.shape.section.parse> {
  return docsPage.shape.section.catch(null).parse(path.split('/')[2] ?? null);
}
