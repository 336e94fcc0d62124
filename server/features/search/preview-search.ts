import { type Context, isProgram } from '#server/context.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { SearchAnswer, SearchDocsInput } from './types.ts';

/** Places shown of a search that is not finished to someone who pays for finished ones. */
const placesMax = 5;

/**
 * Returns a search while its words are still being typed, which costs nothing and is not recorded. Who pays for searches
 * gets the first places without their passages: those come with the finished search. Programs do not type; theirs is
 * finished. Refuses like a finished search who cannot pay for one.
 */
export async function previewSearch(
  deps: {
    meter?: CallMeter | undefined;
    /** As it is charged, and as it is not. */
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
