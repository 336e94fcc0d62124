import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import { accountDetailEndpoints } from '#contract/account-details.ts';
import { callables } from '#contract/callables.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { callApi } from '../../lib/api-client.ts';
import { callFunction } from '../../lib/call-function.ts';
import { noteFarewell } from '../../lib/farewell.ts';
import { useAdoptUser } from '../../lib/session.ts';

export const signInMethodsOptions = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => callApi(identityEndpoints.getSignInMethods, {}, signal),
  staleTime: 5 * 60_000,
});

export const sessionsOptions = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await callApi(identityEndpoints.listSessions, {}, signal)).sessions,
});

/** Signs in; the updated session then redirects to the requested page. */
export function useSignIn() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: (input: { email: string; password: string }) => callApi(identityEndpoints.signInWithEmail, input),
    onSuccess: ({ user }) => adopt(user),
  });
}

export function useUpdateProfile() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: (displayName: string) => callApi(identityEndpoints.updateProfile, { displayName }),
    onSuccess: ({ user }) => adopt(user),
  });
}

export const accountDetailsOptions = queryOptions({
  queryKey: ['account-details'],
  queryFn: ({ signal }) => callApi(accountDetailEndpoints.getAccountDetails, {}, signal),
});

/** Shows the new consent immediately and reverts it if the server refuses. */
export function useUpdateConsent() {
  const client = useQueryClient();
  const { queryKey } = accountDetailsOptions;
  return useMutation({
    mutationFn: (marketingConsent: boolean) => callFunction(callables.updateMarketingConsent, { marketingConsent }),
    onMutate: (hasMarketingConsent) => {
      const before = client.getQueryData(queryKey);
      client.setQueryData(queryKey, (details) => details && { ...details, hasMarketingConsent });
      return before;
    },
    onError: (_error, _consent, before) => client.setQueryData(queryKey, before),
    onSettled: () => client.invalidateQueries({ queryKey }),
  });
}

/** Deletes the account. The browser then shows the sign-in screen with a notice, and keeps no data of the account. */
export function useDeleteAccount() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: (password: string | undefined) =>
      callFunction(callables.deleteUser, password === undefined ? {} : { password }),
    onSuccess: async () => {
      noteFarewell('account-deleted');
      await adopt(null);
      window.location.assign('/login');
    },
  });
}
