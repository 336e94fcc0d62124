export { extractAsciidoc } from './asciidoc/extract-asciidoc.ts';
export { extractCodeFile } from './code-file.ts';
export { extractDeclarations } from './declarations/extract-declarations.ts';
export {
  codeLanguageOf,
  type DocumentFormat,
  documentationFormatOf,
  formatOf,
  isGzip,
  isManualName,
  mayOfferDeclarations,
} from './format-of.ts';
export { extractGraphql } from './graphql/extract-graphql.ts';
export { extractMan } from './man/extract-man.ts';
export { extractMarkdown } from './markdown/extract-markdown.ts';
export { extractNotebook } from './notebook/extract-notebook.ts';
export { extractOpenApi } from './openapi/extract-openapi.ts';
export { extractPlainText } from './plain-text.ts';
export { extractRst } from './rst/extract-rst.ts';
