import { queryOptions } from '@tanstack/react-query';
import type { SessionUser } from '#contract/accounts.ts';
import { connectionEndpoints } from '#contract/connections.ts';
import { callApi } from '../../lib/api-client.ts';

/**
 * An application's consent request. It is loaded when its page opens, and again on request, when another user signs in,
 * or when the user's address has been verified.
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
