import { queryOptions } from '@tanstack/react-query';
import type { SessionUser } from '#contract/accounts.ts';
import { connectionEndpoints } from '#contract/connections.ts';
import { callApi } from '../../lib/api-client.ts';

/**
 * What an application asks for. A question is read when its page is opened, and again by hand or when another person
 * looks at it, or the same one with their address verified.
 */
export function consentOptions(request: string, user: SessionUser | null) {
  return queryOptions({
    queryKey: ['consent', request, user?.uid, user?.isEmailVerified],
    queryFn: ({ signal }) => callApi(connectionEndpoints.describeConsent, { request }, signal),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
}

export const connectionsOptions = queryOptions({
  queryKey: ['connections'],
  queryFn: async ({ signal }) => (await callApi(connectionEndpoints.listConnections, {}, signal)).connections,
});
