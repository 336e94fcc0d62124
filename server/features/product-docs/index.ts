export { productDocsAddress } from './product-docs.ts';
