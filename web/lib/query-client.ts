import { notifyManager, type Query, QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { forgetInvite } from './pending-invite.ts';
import { type Session, sessionKey } from './session.ts';
import { noteSignedIn } from './signed-in-note.ts';
import { teamsOptions } from './team-queries.ts';
import { resetWorkspace } from './workspace.ts';

let ofPage: QueryClient | undefined;

// Shows a button as busy before a double click's second press; on slow devices the library's default timer is too late.
notifyManager.setScheduler(queueMicrotask);

/**
 * Returns this page load's cache. At build time, where pages are rendered in parallel, returns a new cache each time.
 */
export function pageClient(): QueryClient {
  if (typeof window === 'undefined') return createQueryClient();
  ofPage ??= createQueryClient();
  return ofPage;
}

/**
 * Creates the cache of a page load. When a read or change is refused as signed out, the session is reloaded, so that
 * guards see the sign-out; when a team was not found, the teams are. A user's data is dropped as soon as the session
 * ends or belongs to someone else, in whichever tab that happened.
 */
export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        // A server's error response is final; only a missing response is retried.
        retry: (failures, error) => error instanceof ApiError && error.code === 'offline' && failures < 2,
      },
      // Offline calls fail immediately: a delayed change would be sent when the user no longer expects it.
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
 * Keeps a query in the error state until its data has loaded. The library clears the error during a retry, so the
 * notice would disappear and come back under the user's finger.
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

/** On a bad connection a reload may take minutes; after this time the change is shown as done. */
const shownMs = 3_000;

/**
 * Resolves when the reload has finished, or after a timeout. Changes wait for it, so that lists are up to date when
 * they finish.
 */
export function untilShown(reading: Promise<unknown>): Promise<unknown> {
  return Promise.race([reading, new Promise((resolve) => setTimeout(resolve, shownMs))]);
}

/**
 * Repeats a first read that was invalidated while in progress: its response may predate the change, but the library
 * treats it as current. Searches are not repeated, since they cost credits.
 */
function repeatRead(client: QueryClient, { queryKey, promise }: Query): void {
  if (queryKey[0] === 'search') return;
  // The library stores the result before the timer fires.
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
