import { queryOptions } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useSearchParams } from 'react-router';
import { searchEndpoints } from '#contract/search.ts';
import { useFieldAhead } from '../../kit/address-filters.ts';
import { callApi } from '../../lib/api-client.ts';
import { startMarkdown } from '../../ui/early-markdown.ts';
import { readSearchParams, type SearchParams, writeSearchParams } from './search-params.ts';

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
    queryFn: ({ signal }) => {
      startMarkdown();
      return callApi(
        searchEndpoints.search,
        { query, budget: budgetTokens, module: moduleId, ...(isDraft ? { isDraft } : {}) },
        signal,
        workspace,
      );
    },
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

// Short enough to feel live, long enough that a fluently typed word triggers one search.
const typingPauseMs = 160;
/** After a pause of this length, the query is final and the search is completed. */
const finishedAfterMs = 900;

interface LiveSearch {
  params: SearchParams;
  /** Text in the box; the address follows when typing pauses. */
  typed: string;
  setTyped: (typed: string) => void;
  /** False while the user seems to be still typing. */
  isFinished: boolean;
  /** Searches for the typed text immediately. */
  submit: () => void;
  change: (part: Partial<Omit<SearchParams, 'query'>>) => void;
}

/** Returns the search in the address, and the state of the box, which is ahead of it. */
export function useLiveSearch(): LiveSearch {
  const [urlParams, setUrlParams] = useSearchParams();
  const params = readSearchParams(urlParams);
  const [finished, setFinished] = useState(params.query);
  const { typed, setTyped, wanted, note } = useFieldAhead(params.query, setFinished);

  const go = (next: SearchParams) => {
    note(next.query);
    setUrlParams(writeSearchParams(next), { replace: true, preventScrollReset: true });
  };

  useEffect(() => {
    if (wanted === params.query) return;
    const pause = setTimeout(() => go({ ...params, query: wanted }), typingPauseMs);
    return () => clearTimeout(pause);
  });

  useEffect(() => {
    if (wanted === finished) return;
    const rest = setTimeout(() => setFinished(wanted), finishedAfterMs);
    return () => clearTimeout(rest);
  }, [wanted, finished]);

  return {
    params,
    isFinished: finished === params.query,
    typed,
    setTyped,
    submit: () => {
      setFinished(wanted);
      go({ ...params, query: wanted });
    },
    change: (part) => {
      setFinished(wanted);
      go({ ...params, query: wanted, ...part });
    },
  };
}
