export { type ProductDocs, productDocsAddress, productDocsFrom } from './product-docs.ts';
export { searchProductDocs } from './search-product-docs.ts';
