import { z } from 'zod';
import { endpoint, type OutputOf } from './endpoint.ts';
import type { PublicPage } from './public-page-schema.ts';

export const docsSectionIds = ['guide', 'operate', 'reference', 'errors'] as const;
export type DocsSectionId = (typeof docsSectionIds)[number];

/** One page of the product's own documentation, as the build has written it. */
export const docsPage = z.object({
  /** `/docs/guide/agents`; `/docs` is the first page. */
  path: z.string().startsWith('/docs'),
  title: z.string(),
  /** Anchor of the title. */
  anchor: z.string(),
  /** One or two sentences, plain. */
  description: z.string(),
  /** `null` for the first page. */
  section: z.enum(docsSectionIds).nullable(),
  /** What it is written from, relative to the project: a Markdown file, or the code that it is generated from. */
  sourcePath: z.string(),
  isGenerated: z.boolean(),
  /** When what it is written from changed last. */
  updatedOn: z.iso.date(),
  markdown: z.string(),
  /** Sanitised, with anchors and coloured code. */
  html: z.string(),
  /** Headings of the second and third level, in their order. */
  outline: z.array(z.object({ anchor: z.string(), text: z.string(), level: z.union([z.literal(2), z.literal(3)]) })),
});
export type DocsPage = z.infer<typeof docsPage>;

export const writtenDocs = z.object({
  /** In the order of the menu; pages in reading order. */
  sections: z.array(z.object({ id: z.enum(docsSectionIds), title: z.string(), paths: z.array(z.string()) })),
  pages: z.array(docsPage),
});
export type WrittenDocs = z.infer<typeof writtenDocs>;

/** Metadata of a documentation page for search engines, feeds and previews. */
export function publicPageOf({ path, title, description, updatedOn }: DocsPage): PublicPage {
  return { path, title, description, kind: 'docs', publishedOn: updatedOn, updatedOn };
}

/** Longest question to the documentation: more is no question. */
export const docsQueryCharactersMax = 200;

const docsHit = z.object({
  /** Path of the page with the anchor of the passage. */
  path: z.string(),
  pageTitle: z.string(),
  section: z.enum(docsSectionIds).nullable(),
  /** Headings above the passage, outermost first. */
  headingPath: z.array(z.string()),
  /** The part of the passage that answers best, plain. */
  excerpt: z.string(),
  /** Of the whole passage, as an agent would be sent it. */
  tokens: z.int(),
});
export type DocsHit = z.infer<typeof docsHit>;

export const productDocsEndpoints = {
  searchProductDocs: endpoint({
    method: 'GET',
    path: '/api/docs/search',
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
      /** What all pages of the results have, whole. */
      wholePageTokens: z.int(),
      tookMs: z.number(),
    }),
  }),
  describeInterface: endpoint({
    method: 'GET',
    path: '/api/openapi.json',
    summary: 'Returns this API as an OpenAPI 3.1 document.',
    access: 'anyone',
    cacheSeconds: 300,
    input: z.object({}),
    output: z.looseObject({ openapi: z.string(), paths: z.record(z.string(), z.unknown()) }),
  }),
};
export type DocsAnswer = OutputOf<typeof productDocsEndpoints.searchProductDocs>;
