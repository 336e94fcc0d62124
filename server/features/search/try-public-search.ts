import * as limits from '#contract/limits.ts';
import { savedTokensOf } from '#contract/savings.ts';
import type { TriedSearch } from '#contract/try-search.ts';
import type { Context } from '#server/context.ts';
import { requireWithinRate } from '#server/features/accounts/index.ts';
import type { Shelf } from '#server/features/catalog/index.ts';
import { createAgentMemory } from './agent-memory.ts';
import { parseQuery } from './parse-query.ts';
import { searchDocs } from './search-docs.ts';

/**
 * Searches the public index as an agent would, with a small budget, for a visitor from this network address. Private
 * modules are excluded even if the caller is signed in; nothing is charged or remembered. Throws for an empty or
 * overlong query, and `rate-limited` if this address, or all visitors together, have searched too often.
 */
export async function tryPublicSearch(
  shelf: Shelf,
  ctx: Context,
  { query }: { query: string },
  address: string,
): Promise<TriedSearch> {
  parseQuery(query);
  await limitVisitors(ctx, address);
  return searchPublicly(shelf, ctx, query);
}

/**
 * Counts a free search or read; throws `rate-limited` if this address, or all visitors together, have exceeded the
 * limit.
 */
export async function limitVisitors(ctx: Context, address: string): Promise<void> {
  // Checked first, so that a refused address does not use up the limit shared by all.
  await requireWithinRate(ctx, [['try-search-address', address]]);
  await requireWithinRate(ctx, [['try-search-all']]);
}

/** Searches without a limit, for the installation's own searches. */
export async function searchPublicly(shelf: Shelf, ctx: Context, query: string): Promise<TriedSearch> {
  const input = { query, budget: limits.trySearchTokens, limit: limits.trySearchResultsMax };
  const deps = { shelf: publicPartOf(shelf), memory: createAgentMemory() };
  const answer = await searchDocs(deps, asNobody(ctx), input, undefined);
  const { note, text, tokens, searchedSnippets, tookMs } = answer;
  return {
    query: answer.query,
    results: answer.results.map(({ url, title, headingPath, moduleId, moduleName, kind, ...hit }) => ({
      ...{ url, title, headingPath, moduleId, moduleName, kind },
      ...{ text: hit.text, tokens: hit.tokens },
    })),
    note,
    text,
    tokens,
    baselineTokens: limits.baselineTokens,
    savedTokens: savedTokensOf(1, tokens),
    searchedSnippets,
    tookMs,
  };
}

/** Returns an anonymous context: private sources must not appear in this answer. */
export function asNobody({ db, clock, log, requestId }: Context): Context {
  return { db, clock, log, requestId, actor: { kind: 'anonymous' }, workspace: null };
}

/** Returns the shelf restricted to public modules. */
export function publicPartOf(shelf: Shelf): Shelf {
  return {
    readableModules: async (ctx) =>
      (await shelf.readableModules(ctx)).filter(({ visibility }) => visibility === 'public'),
    openViews: (modules) => shelf.openViews(modules),
    openSound: (modules, question) => shelf.openSound(modules, question),
    findPage: (ctx, url) => shelf.findPage(ctx, url),
    findPages: async (ctx, url) =>
      (await shelf.findPages(ctx, url)).filter(({ module }) => module.visibility === 'public'),
    pagesBeside: (found) => shelf.pagesBeside(found),
  };
}
