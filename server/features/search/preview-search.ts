import { type Context, isProgram } from '#server/context.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { SearchAnswer, SearchDocsInput } from './types.ts';

/** Results shown of an unfinished search to callers who pay for finished ones. */
const placesMax = 5;

/**
 * Returns a search while the user is still typing, which is free and not recorded. Users who pay for searches get only
 * the first results without their passages, which the finished search shows. Programs do not type; their searches count
 * as finished. Refuses callers who cannot pay for a finished search.
 */
export async function previewSearch(
  deps: {
    meter?: CallMeter | undefined;
    /** Runs the search as a charged call; `searchFree` charges nothing. */
    searchPaid(ctx: Context, input: SearchDocsInput): Promise<SearchAnswer>;
    searchFree(ctx: Context, input: SearchDocsInput): Promise<SearchAnswer>;
  },
  ctx: Context,
  input: SearchDocsInput,
): Promise<SearchAnswer> {
  if (isProgram(ctx.actor)) return deps.searchPaid(ctx, input);
  const call = { tool: 'search' as const, args: { ...input }, clientName: '' };
  const admitted = await deps.meter?.admit(ctx, call);
  if (admitted?.isCharged !== true) return deps.searchFree(ctx, input);
  const answer = await deps.searchFree(ctx, { ...input, limit: placesMax });
  const results = answer.results.map((hit) => ({ ...hit, text: '', tokens: 0 }));
  return { ...answer, results, text: '', tokens: 0, isPreview: true };
}
