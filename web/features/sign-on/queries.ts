import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { InputOf } from '#contract/endpoint.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { signOnEndpoints } from '#contract/sign-on.ts';
import { callApi } from '../../lib/api-client.ts';
import { untilShown } from '../../lib/query-client.ts';

/** Single sign-on of a team, for its admins. */
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

function useReadAgain(teamId: string): () => Promise<unknown> {
  const client = useQueryClient();
  return () => untilShown(client.invalidateQueries({ queryKey: signOnOptions(teamId).queryKey }));
}

export type SignOnSettings = Omit<InputOf<typeof signOnEndpoints.setSignOn>, 'teamId'>;

export function useSetSignOn(teamId: string) {
  const readAgain = useReadAgain(teamId);
  return useMutation({
    mutationFn: (settings: SignOnSettings) => callApi(signOnEndpoints.setSignOn, { teamId, ...settings }),
    onSuccess: readAgain,
  });
}

export function useVerifyDomain(teamId: string) {
  const readAgain = useReadAgain(teamId);
  return useMutation({
    mutationFn: (vouchFor: { domain: string; issuer: string } | undefined) =>
      callApi(signOnEndpoints.verifySignOnDomain, { teamId, vouchFor }),
    onSuccess: readAgain,
  });
}

export function useRemoveSignOn(teamId: string) {
  const readAgain = useReadAgain(teamId);
  return useMutation({ mutationFn: () => callApi(signOnEndpoints.removeSignOn, { teamId }), onSuccess: readAgain });
}
