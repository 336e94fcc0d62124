import { queryOptions } from '@tanstack/react-query';
import { searchEndpoints } from '#contract/search.ts';
import { callApi } from '../../lib/api-client.ts';
import type { SearchParams } from './search-params.ts';

interface SearchMode {
  /** True while the query is still being typed. */
  isDraft: boolean;
  /** True if the user pays for each finished search, which is therefore never repeated automatically. */
  isCharged: boolean;
}

/** A search as an agent would make it. The previous response stays visible while the next one loads. */
export function searchOptions(
  workspace: string,
  params: Omit<SearchParams, 'view'>,
  { isDraft, isCharged }: SearchMode,
) {
  const { query, moduleId, budgetTokens } = params;
  const isPaid = isCharged && !isDraft;
  return queryOptions({
    // Queries whose key begins with "search" are repeated whenever a module changes.
    queryKey: [isPaid ? 'paidSearch' : 'search', workspace, query, moduleId ?? null, budgetTokens, isDraft],
    queryFn: ({ signal }) =>
      callApi(
        searchEndpoints.search,
        { query, budget: budgetTokens, module: moduleId, ...(isDraft ? { isDraft } : {}) },
        signal,
        workspace,
      ),
    enabled: query !== '',
    placeholderData: (previous) => (query === '' ? undefined : previous),
    ...(isPaid
      ? {
          staleTime: Number.POSITIVE_INFINITY,
          gcTime: 60 * 60_000,
          refetchOnWindowFocus: false,
          refetchOnReconnect: false,
        }
      : {}),
  });
}
