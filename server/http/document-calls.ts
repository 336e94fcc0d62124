import { documentEndpoints } from '#contract/documents.ts';
import type { Context } from '#server/context.ts';
import type { Search } from '#server/features/search/index.ts';
import { type Caching, type Call, call } from './call-table.ts';

/** Pages as people see them. What visitors read of the public index may be kept by whoever passes it on. */
export function documentCalls({ search }: { search: Search }): Call[] {
  return [
    call(
      documentEndpoints.showDocument,
      (ctx, input, { browser }) => search.showDocument(ctx, input, browser.address),
      (ctx, { module, alternatives, cut }) => (cut === null ? cachingOf(ctx, [module, ...alternatives]) : undefined),
    ),
    call(
      documentEndpoints.listModulePages,
      (ctx, input) => search.listModulePages(ctx, input),
      (ctx, output) => cachingOf(ctx, [output]),
    ),
    call(
      documentEndpoints.documentMarkdown,
      (ctx, input) => search.documentMarkdown(ctx, input),
      (ctx, output) => cachingOf(ctx, [output]),
    ),
  ];
}

/** Nothing of a private module is kept anywhere; what somebody signed in reads of public ones, by their browser alone. */
export function cachingOf(ctx: Context, modules: { visibility: 'public' | 'private' }[]): Caching | undefined {
  if (modules.some(({ visibility }) => visibility === 'private')) return undefined;
  return ctx.actor.kind === 'anonymous' ? 'shared' : 'own';
}
