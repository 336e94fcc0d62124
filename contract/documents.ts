import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { moduleIdSchema, sourceKindSchema, visibilitySchema } from './library.ts';
import * as limits from './limits.ts';

/** A passage of a page, as agents receive it. */
export const documentSnippetSchema = z.object({
  /** Position on the page, from 0. */
  index: z.int(),
  /** Stable as long as address, anchor and text are. */
  id: z.string(),
  /** The fragment that addresses the passage, without `#`; empty if the page has none before it. */
  anchor: z.string(),
  /** From the outermost heading below the title to the nearest above the passage. */
  headingPath: z.array(z.string()),
  kind: z.enum(['prose', 'code', 'api', 'table']),
  /** Clean Markdown. */
  text: z.string(),
  tokens: z.int(),
  /** Tokens of the page's passages before this one. */
  tokensBefore: z.int(),
  /** True if characters that hide or reorder text, or lines that imitate ours, were replaced. */
  isCleaned: z.boolean(),
});
export type DocumentSnippet = z.infer<typeof documentSnippetSchema>;

export const documentModuleSchema = z.object({
  moduleId: z.string(),
  displayName: z.string(),
  visibility: visibilitySchema,
  kind: sourceKindSchema,
  /** The module's source address. */
  url: z.string(),
  version: z.string().nullable(),
  lastUpdated: z.int().nullable(),
});

const cutSchema = z.object({
  query: z.string(),
  /** As an agent receives it. */
  text: z.string(),
  tokens: z.int(),
  wholePageTokens: z.int(),
  /** In page order; all other passages are left out. */
  kept: z.array(z.object({ index: z.int(), isWhole: z.boolean() })),
  /** Tokens of the passages left out. */
  leftOutTokens: z.int(),
});
export type DocumentCut = z.infer<typeof cutSchema>;

export const documentSchema = z.object({
  /** Canonical, without fragment. */
  url: z.string(),
  title: z.string(),
  module: documentModuleSchema,
  /** Other readable modules that contain the same address. */
  alternatives: z.array(documentModuleSchema.extend({ fetchedAt: z.int() })),
  fetchedAt: z.int(),
  /** The source's revision if it has one, such as a commit. */
  revision: z.string().nullable(),
  refresh: z.object({ isRunning: z.boolean(), failedAt: z.int().nullable() }),
  /** Tokens of the full page. */
  tokens: z.int(),
  snippetCount: z.int(),
  /** The requested passages. */
  snippets: z.array(documentSnippetSchema),
  /** Position of the first requested passage. */
  from: z.int(),
  /** Position of the passage named by its id or anchor; null if there is none. */
  target: z.int().nullable(),
  /** The page's headings; only the outer levels if there are too many. */
  outline: z.array(
    z.object({
      text: z.string(),
      /** 0 for the outermost. */
      depth: z.int(),
      anchor: z.string(),
      /** Position of the passage below it. */
      index: z.int(),
      /** Tokens of its passages, subsections included. */
      tokens: z.int(),
    }),
  ),
  previous: z.object({ url: z.string(), title: z.string() }).nullable(),
  next: z.object({ url: z.string(), title: z.string() }).nullable(),
  /** A preview of a read; set only if a query or token budget was given. */
  cut: cutSchema.nullable(),
});
export type Document = z.infer<typeof documentSchema>;

export const modulePageSchema = z.object({
  url: z.string(),
  title: z.string(),
  snippets: z.int(),
  tokens: z.int(),
  fetchedAt: z.int(),
  /** The source's revision if it has one, such as a commit. */
  revision: z.string().nullable(),
});
export type ModulePage = z.infer<typeof modulePageSchema>;

export const modulePagesSchema = z.object({
  /** In the order in which they were read. */
  pages: z.array(modulePageSchema),
  /** Number of pages that match the words. */
  total: z.int(),
  visibility: visibilitySchema,
});
export type ModulePages = z.infer<typeof modulePagesSchema>;

const address = {
  /** Address of the page; a fragment names a passage. */
  url: z.string().trim().min(1, 'give the address of a page').max(limits.urlCharactersMax),
  /** Selects the module if several contain the page. */
  moduleId: moduleIdSchema.optional(),
  visibility: visibilitySchema.optional(),
};

export const documentEndpoints = {
  showDocument: endpoint('GET /api/documents', {
    summary: 'Returns an indexed page as agents get it, and a preview of a read. Programs pay for it like a read.',
    access: 'anyone',
    input: z.object({
      ...address,
      /** Id of the passage, if several have the anchor. */
      passage: z.string().max(100).optional(),
      /** Position of the first passage. Defaults to the section that the fragment names. */
      from: z.coerce.number().int().min(0).optional(),
      limit: z.coerce.number().int().min(0).max(limits.documentSnippetsPerPart).default(limits.documentSnippetsPerPart),
      query: z.string().max(limits.queryCharactersMax).optional(),
      tokens: z.coerce.number().int().min(limits.budgetTokensMin).max(limits.budgetTokensMax).optional(),
    }),
    output: documentSchema,
  }),
  listModulePages: endpoint('GET /api/modules/:moduleId/pages', {
    summary: 'Lists a module’s pages with their passages, tokens and the time they were read. Free.',
    access: 'anyone',
    input: z.object({
      moduleId: moduleIdSchema,
      visibility: visibilitySchema.optional(),
      /** All words must occur in the title or the address. */
      words: z.string().trim().max(limits.queryCharactersMax).default(''),
      from: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(limits.modulePagesListedMax).default(limits.modulePagesListed),
    }),
    output: modulePagesSchema,
  }),
  documentMarkdown: endpoint('GET /api/documents/markdown', {
    summary: 'Returns an indexed page as Markdown, up to 100,000 tokens. Programs pay for it like a read.',
    access: 'anyone',
    input: z.object(address),
    output: z.object({ url: z.string(), title: z.string(), markdown: z.string(), visibility: visibilitySchema }),
  }),
};
