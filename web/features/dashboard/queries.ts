import { queryOptions } from '@tanstack/react-query';
import { keyEndpoints } from '#contract/keys.ts';
import { callApi } from '../../lib/api-client.ts';

/** The workspace's keys, as the overview counts them. Begins like every query of keys, so that it stays current with them. */
export function keyOverviewOptions(workspace: string) {
  return queryOptions({
    queryKey: ['apiKeys', workspace, 'overview'],
    queryFn: async ({ signal }) => (await callApi(keyEndpoints.listKeys, {}, signal, workspace)).keys,
  });
}
