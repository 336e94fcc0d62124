import type { Endpoint } from '#contract/endpoint.ts';
import { productDocsEndpoints } from '#contract/product-docs.ts';
import { type ProductDocs, searchProductDocs } from '#server/features/product-docs/index.ts';
import { type Call, call } from './call-table.ts';
import { openApiDocument } from './openapi/document.ts';
import type { OpenApiDocument } from './openapi/types.ts';

export interface ProductDocsCallDependencies {
  productDocs: ProductDocs;
  /** What the description of the interface says of this installation. */
  about: { productName: string; version: string; address: string };
}

/** The documentation of the product and the description of its interface; `others` are all other endpoints. */
export function productDocsCalls(
  { productDocs, about }: ProductDocsCallDependencies,
  others: () => readonly Endpoint[],
): Call[] {
  let described: OpenApiDocument | undefined;
  const describe = (): OpenApiDocument => openApiDocument(about, [...others(), ...Object.values(productDocsEndpoints)]);
  return [
    call(productDocsEndpoints.searchProductDocs, (ctx, input, { browser }) =>
      searchProductDocs(productDocs, ctx, input, browser.address),
    ),
    call(productDocsEndpoints.describeInterface, async () => ({ ...(described ??= describe()) })),
  ];
}
