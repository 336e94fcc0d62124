import * as limits from '#contract/limits.ts';

export const views = ['results', 'raw'] as const;
export type View = (typeof views)[number];

/** State in the search screen's address. */
export interface SearchParams {
  query: string;
  moduleId: string | undefined;
  budgetTokens: number;
  view: View;
}

/** Budgets offered; the address may contain any other within the limits. */
const budgetSteps = [500, 1_000, 2_000, 5_000, 10_000];

/** Reads the address; invalid values count as missing. */
export function readSearchParams(params: URLSearchParams): SearchParams {
  const budget = Number(params.get('budget') ?? Number.NaN);
  const isUsable = Number.isInteger(budget) && budget >= limits.budgetTokensMin && budget <= limits.budgetTokensMax;
  return {
    query: (params.get('q') ?? '').slice(0, limits.queryCharactersMax),
    moduleId: params.get('module') || undefined,
    budgetTokens: isUsable ? budget : limits.searchTokensDefault,
    view: params.get('view') === 'raw' ? 'raw' : 'results',
  };
}

/** Returns the address parameters for a search; defaults are left out. */
export function writeSearchParams({ query, moduleId, budgetTokens, view }: SearchParams): URLSearchParams {
  const params = new URLSearchParams();
  if (query !== '') params.set('q', query);
  if (moduleId !== undefined) params.set('module', moduleId);
  if (budgetTokens !== limits.searchTokensDefault) params.set('budget', String(budgetTokens));
  if (view !== 'results') params.set('view', view);
  return params;
}

/** Returns the budgets to choose from, including the current one. */
export function budgetChoices(current: number): number[] {
  return [...new Set([...budgetSteps, current])].sort((a, b) => a - b);
}
