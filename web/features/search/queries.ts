import { queryOptions } from '@tanstack/react-query';
import { searchEndpoints } from '#contract/search.ts';
import { callApi } from '../../lib/api-client.ts';
import type { SearchParams } from './search-params.ts';

interface SearchMode {
  /** The words are still being typed. */
  isDraft: boolean;
  /** This person pays for each finished search: it is never made again without being asked for. */
  isCharged: boolean;
}

/** A search as an agent would make it. While the next answer is on its way, the last one stays. */
export function searchOptions(
  workspace: string,
  params: Omit<SearchParams, 'view'>,
  { isDraft, isCharged }: SearchMode,
) {
  const { query, moduleId, budgetTokens } = params;
  const isPaid = isCharged && !isDraft;
  return queryOptions({
    // What begins with "search" is made again whenever a module changes.
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
