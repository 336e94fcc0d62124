export { extractAsciidoc } from './asciidoc/extract-asciidoc.ts';
export { extractCodeFile } from './code-file.ts';
export { codeLanguageOf, type DocumentFormat, formatOf } from './format-of.ts';
export { extractGraphql } from './graphql/extract-graphql.ts';
export { extractMarkdown } from './markdown/extract-markdown.ts';
export { extractNotebook } from './notebook/extract-notebook.ts';
export { extractOpenApi } from './openapi/extract-openapi.ts';
export { extractPlainText } from './plain-text.ts';
export { extractRst } from './rst/extract-rst.ts';
