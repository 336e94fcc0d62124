import { queryOptions } from '@tanstack/react-query';
import { searchEndpoints } from '#contract/search.ts';
import { callApi } from '../../lib/api-client.ts';
import type { SearchParams } from './search-params.ts';

/** A search as an agent would make it. While the next answer is on its way, the last one stays. */
export function searchOptions({ query, moduleId, budgetTokens }: Omit<SearchParams, 'view'>) {
  return queryOptions({
    queryKey: ['search', query, moduleId ?? null, budgetTokens],
    queryFn: ({ signal }) => callApi(searchEndpoints.search, { query, budget: budgetTokens, module: moduleId }, signal),
    enabled: query !== '',
    placeholderData: (previous) => (query === '' ? undefined : previous),
  });
}
