import { queryOptions } from '@tanstack/react-query';
import { keyEndpoints } from '#contract/keys.ts';
import { callApi } from '../../lib/api-client.ts';

/** The person's keys, as the overview counts them. Begins like every query of keys, so that it stays current with them. */
export const keyOverviewOptions = queryOptions({
  queryKey: ['apiKeys', 'overview'],
  queryFn: async ({ signal }) => (await callApi(keyEndpoints.listKeys, {}, signal)).keys,
});
