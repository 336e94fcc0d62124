import { queryOptions } from '@tanstack/react-query';
import { callLater } from '../../lib/call-later.ts';

const contract = async () => (await import('#contract/try-search.ts')).trySearchEndpoints;

/** What a visitor may search on this installation. */
export const showcaseOptions = queryOptions({
  queryKey: ['showcase'],
  queryFn: ({ signal }) => callLater(async () => (await contract()).getShowcase, {}, signal),
  staleTime: 60_000,
  // A new installation is indexing its own documentation.
  refetchInterval: ({ state }) => state.data?.moduleCount === 0 && 3_000,
});

/** The answer to a query of a visitor. Each asking counts against a limit, so it is kept and never asked twice by itself. */
export function triedOptions(query: string) {
  return queryOptions({
    queryKey: ['tried', query],
    queryFn: ({ signal }) => callLater(async () => (await contract()).trySearch, { query }, signal),
    enabled: query !== '',
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    retry: false,
  });
}
