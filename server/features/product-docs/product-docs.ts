import { docsPage } from '#contract/product-docs.ts';
import { openSegment, type Segment } from '#server/engine/index.ts';

/** Address that pages of the documentation have in their index, before an installation gives them its own. */
export const productDocsAddress = 'https://product.invalid';

/** The documentation of the product as the build has indexed it. */
export interface ProductDocs {
  /** What this installation calls the product; its documentation calls it Lectern. */
  productName: string;
  /** Undefined on an installation that was started without a build. Read when it is first asked for, and kept. */
  segment(): Promise<Segment | undefined>;
}

/** Documentation from the bytes of its segment, which `read` answers, or undefined when there is none. */
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
        // The next search tries again.
        opened = undefined;
        throw error;
      });
      return opened;
    },
  };
}

/** The section a path of the documentation lies in; null for the first page. */
export function sectionOf(path: string): ReturnType<typeof docsPage.shape.section.parse> {
  return docsPage.shape.section.catch(null).parse(path.split('/')[2] ?? null);
}
