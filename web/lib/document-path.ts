export { documentPath, placeOfDocument } from '#contract/document-path.ts';
