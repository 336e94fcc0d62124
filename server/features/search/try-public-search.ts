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
 * Searches the public index as an agent would, with a small budget, for a visitor from this network address. Nothing
 * private answers, also to callers who are signed in; nothing is charged or remembered. Throws for an empty or overlong query and
 * `rate-limited` when this address, or everyone together, has asked too often.
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

/** Counts a search or read that no one pays for; refuses (`rate-limited`) when this address, or everyone together, has asked too often. */
export async function limitVisitors(ctx: Context, address: string): Promise<void> {
  // One after the other: an address that is refused must not use up what all others have together.
  await requireWithinRate(ctx, [['try-search-address', address]]);
  await requireWithinRate(ctx, [['try-search-all']]);
}

/** The same without a limit, for searches that the installation makes itself. */
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

/** Every caller is anonymous here: private sources are not for this answer. */
export function asNobody({ db, clock, log, requestId }: Context): Context {
  return { db, clock, log, requestId, actor: { kind: 'anonymous' }, workspace: null };
}

/** The shelf with its private part out of reach, whatever it would show. */
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
