import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { accountEndpoints } from '#contract/accounts.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { callApi } from './api-client.ts';
import { resetWorkspace } from './workspace.ts';

export type Session = OutputOf<typeof accountEndpoints.getSession>;

export const sessionKey = ['session'] as const;

export const sessionOptions = queryOptions({
  queryKey: sessionKey,
  queryFn: ({ signal }) => callApi(accountEndpoints.getSession, {}, signal),
  staleTime: 5 * 60_000,
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

/** Spends a one-time code. It is gone afterwards, whatever the answer: never retried. */
export function useRedeemSignInLink() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (code: string) => callApi(accountEndpoints.redeemSignInLink, { code }),
    retry: false,
    onSuccess: () => client.invalidateQueries(),
  });
}

/** Ends the session here and forgets everything that was read under it. */
export function useSignOut() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: () => callApi(accountEndpoints.signOut, {}),
    onSuccess: () => {
      resetWorkspace();
      client.setQueryData(sessionKey, (session: Session | undefined) => session && { ...session, user: null });
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
    },
  });
}
