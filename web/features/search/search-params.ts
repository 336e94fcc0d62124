import * as limits from '#contract/limits.ts';

export const views = ['results', 'raw'] as const;
export type View = (typeof views)[number];

/** What the address of the search screen holds. */
export interface SearchParams {
  query: string;
  moduleId: string | undefined;
  budgetTokens: number;
  view: View;
}

/** Budgets offered; any other within the limits may stand in the address. */
const budgetSteps = [500, 1_000, 2_000, 5_000, 10_000];

/** Reads the address; what cannot be used counts as not given. */
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

/** The address for a search; what is as usual is left out. */
export function writeSearchParams({ query, moduleId, budgetTokens, view }: SearchParams): URLSearchParams {
  const params = new URLSearchParams();
  if (query !== '') params.set('q', query);
  if (moduleId !== undefined) params.set('module', moduleId);
  if (budgetTokens !== limits.searchTokensDefault) params.set('budget', String(budgetTokens));
  if (view !== 'results') params.set('view', view);
  return params;
}

/** The budgets to choose from, the current one among them. */
export function budgetChoices(current: number): number[] {
  return [...new Set([...budgetSteps, current])].sort((a, b) => a - b);
}
