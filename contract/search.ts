import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import * as limits from './limits.ts';

const budget = z.coerce
  .number()
  .int()
  .min(limits.budgetTokensMin)
  .max(limits.budgetTokensMax)
  .optional()
  .describe('Maximum number of tokens in the response (o200k_base)');

export const searchHitSchema = z.object({
  /** The passage's address, with its anchor. */
  url: z.string(),
  /** Distinguishes passages with the same anchor, for the viewer. */
  passageId: z.string().optional(),
  title: z.string(),
  headingPath: z.array(z.string()),
  moduleId: z.string(),
  moduleName: z.string(),
  visibility: z.enum(['public', 'private']),
  kind: z.enum(['prose', 'code', 'api', 'table']),
  /** The passage as sent, cut to the budget; empty if only its address was sent. */
  text: z.string(),
  /** Set if the passage contains instructions to programs; its text is unchanged. */
  notice: z.string().optional(),
  tokens: z.int(),
  score: z.number(),
  fetchedAt: z.int(),
  /** The library's version, if more than one is indexed. */
  version: z.string().nullable(),
});
export type SearchHit = z.infer<typeof searchHitSchema>;

export const searchOutput = z.object({
  query: z.string(),
  results: z.array(searchHitSchema),
  /** Notes for the reader, one per line: nothing found, several libraries match, a version is not indexed. */
  note: z.string().optional(),
  /** What an agent receives for this search, rendered. */
  text: z.string(),
  tokens: z.int(),
  searchedSnippets: z.int(),
  tookMs: z.number(),
  /** True if only locations are returned: the search is not complete, so nothing was charged. */
  isPreview: z.boolean().optional(),
});
export type SearchOutput = z.infer<typeof searchOutput>;

export const readOutput = z.object({
  url: z.string(),
  title: z.string(),
  moduleId: z.string().nullable(),
  /** Markdown. */
  text: z.string(),
  tokens: z.int(),
  /** Tokens of the full page. */
  wholePageTokens: z.int(),
  isCut: z.boolean(),
  fetchedAt: z.int(),
});
export type ReadOutput = z.infer<typeof readOutput>;

export const searchEndpoints = {
  search: endpoint('GET /api/search', {
    summary: 'Searches the modules that you can read.',
    access: 'anyone',
    keyRight: 'search',
    input: z.object({
      query: z.string(),
      budget,
      module: z.string().optional(),
      limit: z.coerce.number().int().min(1).max(limits.searchResultsMax).optional(),
      /** The query is still being typed: the call is free, and returns only locations to users who pay for searches. */
      isDraft: z.stringbool().or(z.boolean()).optional(),
    }),
    output: searchOutput,
  }),
  read: endpoint('GET /api/read', {
    summary: 'Reads a page, from the index or by fetching it.',
    access: 'anyone',
    keyRight: 'search',
    input: z.object({ url: z.string().max(limits.urlCharactersMax), budget, query: z.string().optional() }),
    output: readOutput,
  }),
};
