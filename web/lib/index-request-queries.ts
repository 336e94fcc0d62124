import { queryOptions } from '@tanstack/react-query';
import { indexRequestEndpoints } from '#contract/index-requests.ts';
import { callApi } from './api-client.ts';

/** Agents' requests to index sources, newest first. */
export function indexRequestsOptions(workspace: string) {
  return queryOptions({
    queryKey: ['indexRequests', workspace],
    queryFn: async ({ signal }) =>
      (await callApi(indexRequestEndpoints.listIndexRequests, {}, signal, workspace)).requests,
  });
}
