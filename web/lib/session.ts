import {
  type Query,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect } from 'react';
import type { accountEndpoints, SessionUser } from '#contract/accounts.ts';
import type { OutputOf } from '#contract/endpoint.ts';
import { offlineError, unreadableError } from './api-error.ts';
import { callLater } from './call-later.ts';
import { announceSessionChange, listenToIdentity } from './identity-channel.ts';
import { installation } from './installation.ts';
import { type Answer, request } from './request.ts';

export type Session = OutputOf<typeof accountEndpoints.getSession>;

export const sessionKey = ['session'] as const;

const contract = async () => (await import('#contract/accounts.ts')).accountEndpoints;

export const sessionOptions = queryOptions({
  queryKey: sessionKey,
  queryFn: async ({ client, signal }) =>
    withPosition(client, await readSession(await request('/api/session', { signal }))),
  staleTime: 5 * 60_000,
  // Someone who comes back to a tab may have signed out elsewhere meanwhile.
  refetchOnWindowFocus: 'always',
  // Every part of the page that names the product reads this: one more of them must not ask again after a failure.
  retryOnMount: false,
});

/** What a visitor's answer says is checked here; that of someone who is signed in, by the contract, which comes then. */
async function readSession({ content, status }: Answer): Promise<Session> {
  if (isOfVisitor(content)) return content;
  const { getSession } = await contract().catch(() => {
    throw offlineError();
  });
  const session = getSession.output.safeParse(content);
  if (!session.success) throw unreadableError(status);
  return session.data;
}

/** Keeps the position of the user's first session, and drops one that is newer than something the page has read: a change between the two would be missed. */
export function withPosition(client: QueryClient, session: Session): Session {
  const known = client.getQueryData<Session>(sessionKey);
  if (known?.user?.uid === session.user?.uid) return { ...session, livePosition: known?.livePosition };
  const isOlder = ({ queryKey: [name], state }: Query) =>
    name !== sessionKey[0] && name !== 'site' && (state.data !== undefined || state.fetchStatus !== 'idle');
  return client.getQueryCache().getAll().some(isOlder) ? { ...session, livePosition: undefined } : session;
}

function isOfVisitor(content: unknown): content is Session & { user: null } {
  const { user, productName, publicUrl } = (content ?? {}) as Record<string, unknown>;
  return user === null && typeof productName === 'string' && typeof publicUrl === 'string';
}

export function useSession() {
  return useQuery(sessionOptions);
}

/** The running server's name for the product. */
export function useProductName(): string {
  return useSession().data?.productName ?? installation().productName;
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

/** Takes over who a call has signed in or changed, or that it has signed out, here and in the other tabs. */
export function useAdoptUser(): (user: SessionUser | null) => Promise<void> {
  const client = useQueryClient();
  return async (user) => {
    // An answer that is on its way is about who was here before.
    await client.cancelQueries({ queryKey: sessionKey });
    client.setQueryData(sessionKey, (session: Session | undefined) => session && { ...session, user });
    void client.invalidateQueries({ queryKey: sessionKey });
    announceSessionChange();
  };
}

/** Spends a one-time code. It is gone afterwards, whatever the answer: never retried. */
export function useRedeemSignInLink() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: (code: string) => callLater(async () => (await contract()).redeemSignInLink, { code }),
    onSuccess: ({ user }) => adopt(user),
  });
}

/** Ends the session, here and in the other tabs. */
export function useSignOut() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: () => callLater(async () => (await contract()).signOut, {}),
    onSuccess: () => adopt(null),
  });
}
