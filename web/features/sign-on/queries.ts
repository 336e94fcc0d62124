import { queryOptions, useQuery } from '@tanstack/react-query';
import { identityEndpoints } from '#contract/identity.ts';
import { signOnEndpoints } from '#contract/sign-on.ts';
import { callApi } from '../../lib/api-client.ts';

/** A team's single sign-on settings, for its admins. */
export function signOnOptions(teamId: string) {
  return queryOptions({
    queryKey: ['signOn', teamId],
    queryFn: ({ signal }) => callApi(signOnEndpoints.getSignOn, { teamId }, signal),
  });
}

/** Returns true once sign-up is known to be closed. */
export function useIsSignUpClosed(): boolean {
  const queryFn = ({ signal }: { signal: AbortSignal }) => callApi(identityEndpoints.getSignInMethods, {}, signal);
  return useQuery({ queryKey: ['sign-in-methods'], queryFn, staleTime: 5 * 60_000 }).data?.signUp === false;
}
