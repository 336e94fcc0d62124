import { documentEndpoints } from '#contract/documents.ts';
import type { Context } from '#server/context.ts';
import type { CallMeter } from '#server/features/credits/index.ts';
import type { Search } from '#server/features/search/index.ts';
import { type Caching, type Call, call } from './call-table.ts';
import { showPage } from './page-views.ts';

export interface DocumentCallDependencies {
  search: Search;
  meter: CallMeter;
}

/** Pages as people see them. What visitors read of the public index may be kept by whoever passes it on. */
export function documentCalls({ search, meter }: DocumentCallDependencies): Call[] {
  return [
    call(
      documentEndpoints.showDocument,
      (ctx, { url, ...args }, { browser: { address } }) =>
        showPage(ctx, { url, address, args }, meter, async () => {
          const answer = await search.showDocument(ctx, { url, ...args }, address);
          const sent = answer.snippets.reduce((sum, { tokens }) => sum + tokens, answer.cut?.tokens ?? 0);
          return { answer, shown: { tokens: sent, wholePageTokens: answer.tokens } };
        }),
      (ctx, { module, alternatives, cut }) => (cut === null ? cachingOf(ctx, [module, ...alternatives]) : undefined),
    ),
    call(
      documentEndpoints.listModulePages,
      (ctx, input) => search.listModulePages(ctx, input),
      (ctx, output) => cachingOf(ctx, [output]),
    ),
    call(
      documentEndpoints.documentMarkdown,
      (ctx, input, { browser: { address } }) =>
        showPage(ctx, { url: input.url, address }, meter, async () => {
          const { tokens, ...answer } = await search.documentMarkdown(ctx, input);
          return { answer, shown: { tokens, wholePageTokens: tokens } };
        }),
      (ctx, output) => cachingOf(ctx, [output]),
    ),
  ];
}

/** Nothing of a private module is kept anywhere; what somebody signed in reads of public ones, by their browser alone. */
export function cachingOf(ctx: Context, modules: { visibility: 'public' | 'private' }[]): Caching | undefined {
  if (modules.some(({ visibility }) => visibility === 'private')) return undefined;
  return ctx.actor.kind === 'anonymous' ? 'shared' : 'own';
}
