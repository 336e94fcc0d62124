import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { accountEndpoints, type SessionUser } from '#contract/accounts.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { callApi } from './api-client.ts';
import { announceSessionChange, listenToIdentity } from './identity-channel.ts';

export type Session = OutputOf<typeof accountEndpoints.getSession>;

export const sessionKey = ['session'] as const;

export const sessionOptions = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => callApi(accountEndpoints.getSession, {}, signal),
  staleTime: 5 * 60_000,
  // Somebody who comes back to a tab may have signed out elsewhere meanwhile.
  refetchOnWindowFocus: 'always',
  // Every part of the page that names the product reads this: one more of them must not ask again after a failure.
  retryOnMount: false,
});

export function useSession() {
  return useQuery(sessionOptions);
}

/** The running server's name for the product; until it answers, the name of the build. */
export function useProductName(): string {
  return useSession().data?.productName ?? __PRODUCT_NAME__;
}

/** Reads the session again whenever another tab, a sign-in popup or the server says that it has changed. */
export function useSessionSync(): void {
  const client = useQueryClient();
  useEffect(
    () =>
      listenToIdentity(({ type }) => {
        if (type !== 'sign-in-failed') void client.invalidateQueries({ queryKey: sessionKey });
      }),
    [client],
  );
}

/** Takes over who a call has signed in or changed, here and in the other tabs. */
export function useAdoptUser(): (user: SessionUser) => void {
  const client = useQueryClient();
  return (user) => {
    client.setQueryData(sessionKey, (session: Session | undefined) => session && { ...session, user });
    void client.invalidateQueries({ queryKey: sessionKey });
    announceSessionChange();
  };
}

/** Spends a one-time code. It is gone afterwards, whatever the answer: never retried. */
export function useRedeemSignInLink() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: (code: string) => callApi(accountEndpoints.redeemSignInLink, { code }),
    retry: false,
    onSuccess: ({ user }) => adopt(user),
  });
}

/** Ends the session, here and in the other tabs. */
export function useSignOut() {
  const leave = useLeave();
  return useMutation({ mutationFn: () => callApi(accountEndpoints.signOut, {}), onSuccess: leave });
}

/** Turns this browser into a visitor's, after the server has ended the session. */
export function useLeave(): () => void {
  const client = useQueryClient();
  return () => {
    client.setQueryData(sessionKey, (session: Session | undefined) => session && { ...session, user: null });
    announceSessionChange();
  };
}
