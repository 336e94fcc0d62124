import { queryOptions, useMutation } from '@tanstack/react-query';
import { callLater } from '../../lib/call-later.ts';

const contract = async () => (await import('#contract/identity.ts')).identityEndpoints;

/** `signInMethodsOptions` for a part of every page, whose contract comes with the question. */
export const signInMethodsLater = queryOptions({
  queryKey: ['sign-in-methods'],
  queryFn: ({ signal }) => callLater(async () => (await contract()).getSignInMethods, {}, signal),
  staleTime: 5 * 60_000,
});

/** Sends the mail that verifies the person's address again. */
export function useSendVerification() {
  return useMutation({
    mutationFn: () => callLater(async () => (await contract()).sendVerification, {}),
  });
}
