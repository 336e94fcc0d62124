import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { moduleIdSchema, sourceKindSchema, visibilitySchema } from './library.ts';
import * as limits from './limits.ts';

/** One passage of a page, as agents get it. */
export const documentSnippetSchema = z.object({
  /** Place on the page, from 0. */
  index: z.int(),
  /** Stays the same while address, anchor and text do. */
  id: z.string(),
  /** Fragment that addresses the passage, without `#`; empty where the page has none before it. */
  anchor: z.string(),
  /** From the outermost heading below the title to the nearest above the passage. */
  headingPath: z.array(z.string()),
  kind: z.enum(['prose', 'code', 'api', 'table']),
  /** Clean Markdown. */
  text: z.string(),
  tokens: z.int(),
  /** Tokens of the page before this passage. */
  tokensBefore: z.int(),
  /** Characters that hide or reorder text, and lines that pass for ours, were changed before it was shown. */
  isCleaned: z.boolean(),
});
export type DocumentSnippet = z.infer<typeof documentSnippetSchema>;

export const documentModuleSchema = z.object({
  moduleId: z.string(),
  displayName: z.string(),
  visibility: visibilitySchema,
  kind: sourceKindSchema,
  /** Where the module is read from. */
  url: z.string(),
  version: z.string().nullable(),
  lastUpdated: z.int().nullable(),
});

const cutSchema = z.object({
  query: z.string(),
  /** As the agent receives it. */
  text: z.string(),
  tokens: z.int(),
  wholePageTokens: z.int(),
  /** In page order; every other passage is left out. */
  kept: z.array(z.object({ index: z.int(), isWhole: z.boolean() })),
  /** Tokens of the passages that are left out. */
  leftOutTokens: z.int(),
});
export type DocumentCut = z.infer<typeof cutSchema>;

export const documentSchema = z.object({
  /** Canonical, without fragment. */
  url: z.string(),
  title: z.string(),
  module: documentModuleSchema,
  /** Other modules that hold the same address and may be read. */
  alternatives: z.array(documentModuleSchema.extend({ fetchedAt: z.int() })),
  fetchedAt: z.int(),
  /** Of its source, where it has any: a commit, for example. */
  revision: z.string().nullable(),
  refresh: z.object({ isRunning: z.boolean(), failedAt: z.int().nullable() }),
  /** Of the whole page. */
  tokens: z.int(),
  snippetCount: z.int(),
  /** Passages that were asked for. */
  snippets: z.array(documentSnippetSchema),
  /** Place of the first of them. */
  from: z.int(),
  /** Place of the passage that is meant, by its id or the anchor; null for none. */
  target: z.int().nullable(),
  /** Headings of the whole page; only the outer ones where there are very many. */
  outline: z.array(
    z.object({
      text: z.string(),
      /** 0 for the outermost. */
      depth: z.int(),
      anchor: z.string(),
      /** Place of the passage it stands above. */
      index: z.int(),
      /** Of its passages, subsections included. */
      tokens: z.int(),
    }),
  ),
  previous: z.object({ url: z.string(), title: z.string() }).nullable(),
  next: z.object({ url: z.string(), title: z.string() }).nullable(),
  /** What a read would send; only where a query or a number of tokens was given. */
  cut: cutSchema.nullable(),
});
export type Document = z.infer<typeof documentSchema>;

export const modulePageSchema = z.object({
  url: z.string(),
  title: z.string(),
  snippets: z.int(),
  tokens: z.int(),
  fetchedAt: z.int(),
  /** Of its source, where it has any: a commit, for example. */
  revision: z.string().nullable(),
});
export type ModulePage = z.infer<typeof modulePageSchema>;

export const modulePagesSchema = z.object({
  /** In the order in which they were read. */
  pages: z.array(modulePageSchema),
  /** All pages that the words leave. */
  total: z.int(),
  visibility: visibilitySchema,
});
export type ModulePages = z.infer<typeof modulePagesSchema>;

const address = {
  /** Address of the page; a fragment names a passage. */
  url: z.string().trim().min(1, 'give the address of a page').max(limits.urlCharactersMax),
  /** Where several modules hold the page. */
  moduleId: moduleIdSchema.optional(),
  visibility: visibilitySchema.optional(),
};

export const documentEndpoints = {
  showDocument: endpoint({
    method: 'GET',
    path: '/api/documents',
    summary: 'Returns an indexed page as agents get it, and what a read would send. Programs pay for it like a read.',
    access: 'anyone',
    input: z.object({
      ...address,
      /** Id of the passage that is meant, where several have the anchor. */
      passage: z.string().max(100).optional(),
      /** Place of the first passage; unless given, the part of the page that the fragment names. */
      from: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(0).max(limits.documentSnippetsPerPart).default(limits.documentSnippetsPerPart),
      query: z.string().max(limits.queryCharactersMax).optional(),
      tokens: z.coerce.number().int().min(limits.budgetTokensMin).max(limits.budgetTokensMax).optional(),
    }),
    output: documentSchema,
  }),
  listModulePages: endpoint({
    method: 'GET',
    path: '/api/modules/:moduleId/pages',
    summary: 'Lists a module’s pages with their passages, tokens and the time they were read. Free.',
    access: 'anyone',
    input: z.object({
      moduleId: moduleIdSchema,
      visibility: visibilitySchema.optional(),
      /** All of them have to stand in the title or the address. */
      words: z.string().trim().max(limits.queryCharactersMax).default(''),
      from: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(limits.modulePagesListedMax).default(limits.modulePagesListed),
    }),
    output: modulePagesSchema,
  }),
  documentMarkdown: endpoint({
    method: 'GET',
    path: '/api/documents/markdown',
    summary: 'Returns an indexed page as Markdown, up to 100,000 tokens. Programs pay for it like a read.',
    access: 'anyone',
    input: z.object(address),
    output: z.object({ url: z.string(), title: z.string(), markdown: z.string(), visibility: visibilitySchema }),
  }),
};
