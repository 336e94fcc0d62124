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
  // A user who returns to a tab may have signed out elsewhere meanwhile.
  refetchOnWindowFocus: 'always',
  // Every component that shows the product's name reads this: mounting another must not retry a failed read.
  retryOnMount: false,
});

/**
 * Validates a visitor's session here; a signed-in user's session is validated with the contract, which is loaded then.
 */
async function readSession({ content, status }: Answer): Promise<Session> {
  if (isOfVisitor(content)) return content;
  const { getSession } = await contract().catch(() => {
    throw offlineError();
  });
  const session = getSession.output.safeParse(content);
  if (!session.success) throw unreadableError(status);
  return session.data;
}

/**
 * Keeps the position of the user's first session. Drops a position newer than data the page has already read: a change
 * between the two would be missed.
 */
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

/** Returns the product's name as configured on the running server. */
export function useProductName(): string {
  return useSession().data?.productName ?? installation().productName;
}

/** Reloads the session whenever another tab, a sign-in popup or the server reports a change. */
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

/** Applies a sign-in, account change or sign-out to this tab and the other tabs. */
export function useAdoptUser(): (user: SessionUser | null) => Promise<void> {
  const client = useQueryClient();
  return async (user) => {
    // A response in progress is about the previous user.
    await client.cancelQueries({ queryKey: sessionKey });
    client.setQueryData(sessionKey, (session: Session | undefined) => session && { ...session, user });
    void client.invalidateQueries({ queryKey: sessionKey });
    announceSessionChange();
  };
}

/** Redeems a one-time code. It is used up whatever the response is, so the call is never retried. */
export function useRedeemSignInLink() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: (code: string) => callLater(async () => (await contract()).redeemSignInLink, { code }),
    onSuccess: ({ user }) => adopt(user),
  });
}

/** Ends the session in this tab and the other tabs. */
export function useSignOut() {
  const adopt = useAdoptUser();
  return useMutation({
    mutationFn: () => callLater(async () => (await contract()).signOut, {}),
    onSuccess: () => adopt(null),
  });
}
