import { queryOptions } from '@tanstack/react-query';
import { siteEndpoints } from '#contract/site.ts';
import { callApi } from './api-client.ts';

/** What the operator has set for all pages; it changes with a restart of the server only. */
export const siteOptions = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => callApi(siteEndpoints.getSite, {}, signal),
  staleTime: Number.POSITIVE_INFINITY,
  retryOnMount: false,
});

export const flagsOptions = queryOptions({
  queryKey: ['flags'],
  queryFn: ({ signal }) => callApi(siteEndpoints.getFlags, {}, signal),
  staleTime: 5 * 60_000,
});
