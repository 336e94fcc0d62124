import type { ExtractedDocument } from '../document.ts';
import { extractAsciidoc } from './asciidoc/extract-asciidoc.ts';
import { extractDeclarations } from './declarations/extract-declarations.ts';
import { rubyMarkdown } from './declarations/ruby.ts';
import { extractDocbook } from './docbook/extract-docbook.ts';
import { codeLanguageOf, type DocumentFormat } from './format-of.ts';
import { extractGraphql } from './graphql/extract-graphql.ts';
import { extractMan } from './man/extract-man.ts';
import { extractMarkdown } from './markdown/extract-markdown.ts';
import { extractNotebook } from './notebook/extract-notebook.ts';
import { extractOpenApi } from './openapi/extract-openapi.ts';
import { extractOrg } from './org/extract-org.ts';
import { extractCodeFile, extractPlainText } from './plain-text.ts';
import { extractPod } from './pod/extract-pod.ts';
import { extractRd } from './rd/extract-rd.ts';
import { extractRst } from './rst/extract-rst.ts';
import { extractTexinfo } from './texinfo/extract-texinfo.ts';
import { writersideMarkdown } from './writerside/to-markdown.ts';

interface TextPage {
  url: string;
  /** Determines the language of code. */
  path: string;
}

/** Readers for all text formats except HTML. */
export const readers: Record<Exclude<DocumentFormat, 'html'>, (text: string, page: TextPage) => ExtractedDocument> = {
  markdown: (text, { url }) => extractMarkdown(text, { url }),
  mdx: (text, { url }) => extractMarkdown(text, { url, isMdx: true }),
  rst: extractRst,
  asciidoc: extractAsciidoc,
  notebook: extractNotebook,
  openapi: extractOpenApi,
  graphql: extractGraphql,
  man: extractMan,
  org: extractOrg,
  pod: extractPod,
  texinfo: extractTexinfo,
  rd: extractRd,
  rdoc: (text, { url }) => extractMarkdown(rubyMarkdown(text, ''), { url }),
  topic: (text, { url }) => extractMarkdown(writersideMarkdown(text), { url }),
  docbook: extractDocbook,
  declarations: (text, { url, path }) => extractDeclarations(text, { url, path, language: codeLanguageOf(path) }),
  text: extractPlainText,
  code: (text, { url, path }) => extractCodeFile(text, { url, language: codeLanguageOf(path) }),
};
