import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { searchHitSchema } from './search.ts';

const triedHit = searchHitSchema.pick({
  url: true,
  title: true,
  headingPath: true,
  moduleId: true,
  moduleName: true,
  kind: true,
  text: true,
  tokens: true,
});

const triedSearch = z.object({
  query: z.string(),
  results: z.array(triedHit),
  /** A line shown above the results, or instead of them. */
  note: z.string().optional(),
  /** Exactly what an agent receives for this search with the same budget. */
  text: z.string(),
  tokens: z.int(),
  /** Tokens that an agent without documentation search spends on a look-up. */
  baselineTokens: z.int(),
  /** Compared with the baseline; never below 0. */
  savedTokens: z.int(),
  searchedSnippets: z.int(),
  tookMs: z.number(),
});
export type TriedSearch = z.infer<typeof triedSearch>;

export const trySearchEndpoints = {
  trySearch: endpoint('POST /api/try-search', {
    summary: 'Searches the public index without an account, with a small token budget and a limit per network address.',
    access: 'anyone',
    input: z.object({ query: z.string() }),
    output: triedSearch,
  }),
  getShowcase: endpoint('GET /api/try-search', {
    summary: 'Returns what a visitor can search here, sample queries, and the results of the first one.',
    access: 'anyone',
    output: z.object({
      /** The largest public modules. */
      modules: z.array(
        z.object({ moduleId: z.string(), displayName: z.string(), pageCount: z.int(), snippetCount: z.int() }),
      ),
      moduleCount: z.int(),
      pageCount: z.int(),
      snippetCount: z.int(),
      suggestions: z.array(z.string()),
      /** Null if there is no public index. */
      example: triedSearch.nullable(),
    }),
  }),
};
export type Showcase = z.infer<typeof trySearchEndpoints.getShowcase.output>;
