import { z } from 'zod';
import { endpoint, type OutputOf } from './endpoint.ts';
import type { PublicPage } from './public-page-schema.ts';

export const docsSectionIds = ['guide', 'operate', 'reference', 'errors'] as const;
export type DocsSectionId = (typeof docsSectionIds)[number];

/** A page of the product's own documentation, as written by the build. */
export const docsPage = z.object({
  /** Such as `/docs/guide/agents`; `/docs` is the first page. */
  path: z.string().startsWith('/docs'),
  title: z.string(),
  /** Anchor of the title. */
  anchor: z.string(),
  /** One or two plain sentences. */
  description: z.string(),
  /** `null` for the first page. */
  section: z.enum(docsSectionIds).nullable(),
  /** Source path relative to the project: a Markdown file, or the code that the page is generated from. */
  sourcePath: z.string(),
  isGenerated: z.boolean(),
  /** When the source last changed. */
  updatedOn: z.iso.date(),
  markdown: z.string(),
  /** Sanitised, with anchors and highlighted code. */
  html: z.string(),
  /** Headings of levels 2 and 3 in order. */
  outline: z.array(z.object({ anchor: z.string(), text: z.string(), level: z.union([z.literal(2), z.literal(3)]) })),
});
export type DocsPage = z.infer<typeof docsPage>;

export const writtenDocs = z.object({
  /** In menu order; pages in reading order. */
  sections: z.array(z.object({ id: z.enum(docsSectionIds), title: z.string(), paths: z.array(z.string()) })),
  pages: z.array(docsPage),
});
export type WrittenDocs = z.infer<typeof writtenDocs>;

/** Returns a documentation page's metadata for search engines, feeds and previews. */
export function publicPageOf({ path, title, description, updatedOn }: DocsPage): PublicPage {
  return { path, title, description, kind: 'docs', publishedOn: updatedOn, updatedOn };
}

/** Maximum length of a documentation search query. */
export const docsQueryCharactersMax = 200;

const docsHit = z.object({
  /** Path of the page with the passage's anchor. */
  path: z.string(),
  pageTitle: z.string(),
  section: z.enum(docsSectionIds).nullable(),
  /** Headings above the passage, outermost first. */
  headingPath: z.array(z.string()),
  /** The most relevant part of the passage, as plain text. */
  excerpt: z.string(),
  /** Tokens of the whole passage, as sent to an agent. */
  tokens: z.int(),
});
export type DocsHit = z.infer<typeof docsHit>;

export const productDocsEndpoints = {
  searchProductDocs: endpoint('GET /api/docs/search', {
    summary: 'Searches the product’s own documentation. Free for everyone, with a limit per network address.',
    access: 'anyone',
    input: z.object({
      query: z.string().max(docsQueryCharactersMax),
      limit: z.coerce.number().int().min(1).max(20).default(8),
    }),
    output: z.object({
      query: z.string(),
      results: z.array(docsHit),
      /** Passages that were searched. */
      searchedSnippets: z.int(),
      /** Tokens of all pages in the results. */
      wholePageTokens: z.int(),
      tookMs: z.number(),
    }),
  }),
  describeInterface: endpoint('GET /api/openapi.json', {
    summary: 'Returns this API as an OpenAPI 3.1 document.',
    access: 'anyone',
    cacheSeconds: 300,
    output: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  }),
};
export type DocsAnswer = OutputOf<typeof productDocsEndpoints.searchProductDocs>;
