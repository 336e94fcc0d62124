import { notifyManager, type Query, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { forgetInvite } from './pending-invite.ts';
import { type Session, sessionKey } from './session.ts';
import { noteSignedIn } from './signed-in-note.ts';
import { teamsOptions } from './team-queries.ts';
import { resetWorkspace } from './workspace.ts';

let ofPage: QueryClient | undefined;

// A button is busy before the second press of a double click: the library's timer lets that one pass on a slow device.
notifyManager.setScheduler(queueMicrotask);

/** Returns the cache of this page load; at build time, where pages are written side by side, a new one each time. */
export function pageClient(): QueryClient {
  if (typeof window === 'undefined') return createQueryClient();
  ofPage ??= createQueryClient();
  return ofPage;
}

/**
 * One cache for one page load. A refused session is read again, after a read or a change, so that guards see the sign-out; so are the
 * teams when one is not there any more. What was read for one person is forgotten as soon as the session is another's or no one's, whichever tab it ended in.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // A server that answered has said what it means; only silence is worth asking again.
        retry: (failures, error) => error instanceof ApiError && error.code === 'offline' && failures < 2,
      },
      // Offline, a call fails at once: held back, it would be made when no one expects it any more.
      mutations: { networkMode: 'always' },
    },
  });
  const failures = new WeakMap<Query, Error>();
  client.getQueryCache().subscribe((event) => {
    const { query } = event;
    if (event.type !== 'updated') return;
    if (event.action.type === 'error') failures.set(query, event.action.error);
    if (event.action.type === 'fetch') keepFailure(query, failures.get(query));
    if (query.queryKey[0] === sessionKey[0]) return;
    const { error, fetchStatus, data } = query.state;
    if (event.action.type === 'invalidate' && fetchStatus !== 'idle' && data === undefined) repeatRead(client, query);
    if (fetchStatus === 'idle') readRefused(client, error);
  });
  client.getMutationCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'error') readRefused(client, event.action.error);
  });
  forgetWithSession(client);
  return client;
}

/**
 * What failed to load has failed until it is there. The library forgets that while it is read again: what tells it would go away and
 * come back, with the button under the finger.
 */
function keepFailure(query: Query, error: Error | undefined): void {
  const { data, errorUpdateCount } = query.state;
  if (error && data === undefined && errorUpdateCount > 0) query.setState({ status: 'error', error });
}

function readRefused(client: QueryClient, error: unknown): void {
  if (!(error instanceof ApiError)) return;
  if (error.code === 'unauthenticated') void client.invalidateQueries({ queryKey: sessionKey });
  if (error.code === 'team-not-found') void client.invalidateQueries({ queryKey: teamsOptions.queryKey });
}

/** On a dead line a read may take minutes: what was done is shown as done by then. */
const shownMs = 3_000;

/** Resolves once what is read again is there, or after a while. A change waits for it, so that the lists show it when it is done. */
export function untilShown(reading: Promise<unknown>): Promise<unknown> {
  return Promise.race([reading, new Promise((resolve) => setTimeout(resolve, shownMs))]);
}

/**
 * A first read that is marked as outdated while it is in progress may have been answered before the change, and the library takes it as
 * current: it is repeated once it has ended. A search is not, since it costs credits.
 */
function repeatRead(client: QueryClient, { queryKey, promise }: Query): void {
  if (queryKey[0] === 'search') return;
  // The library notes what was read before the timer.
  const repeat = () => setTimeout(() => void client.invalidateQueries({ queryKey }));
  promise?.then(repeat, () => undefined);
}

function forgetWithSession(client: QueryClient): void {
  let uid: string | null | undefined;
  client.getQueryCache().subscribe(({ query }) => {
    if (query.queryKey[0] !== sessionKey[0]) return;
    const session = query.state.data as Session | undefined;
    if (!session) return;
    const next = session.user?.uid ?? null;
    if (next === uid) return;
    const isOther = uid !== undefined;
    const wasSomebody = typeof uid === 'string';
    uid = next;
    noteSignedIn(next !== null);
    if (next === null || wasSomebody) resetWorkspace();
    if (wasSomebody) forgetInvite();
    if (!isOther) return;
    const isOfPerson = (name: unknown) => name !== sessionKey[0] && name !== 'site';
    if (next === null) client.removeQueries({ predicate: ({ queryKey }) => isOfPerson(queryKey[0]) });
    else void client.resetQueries({ predicate: ({ queryKey }) => isOfPerson(queryKey[0]) });
  });
}
