import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SessionUser } from '#contract/accounts.ts';
import * as limits from '#contract/limits.ts';
import { useLiveUpdates } from '../../lib/live/use-live-updates.ts';
import { useLocalCache } from '../../lib/local-cache.ts';
import { retryWhenBack } from '../../lib/retry-when-back.ts';
import { sessionOptions, useSession } from '../../lib/session.ts';
import { flagsOptions } from '../../lib/site.ts';
import { useDebugSetting } from '../../ui/debug-setting.ts';
import { keepFocusNearby } from '../../ui/keep-focus.ts';
import { useLocalCacheSetting } from '../../ui/local-cache-setting.ts';

/** Runs on every page of a signed-in user: live updates, the local cache, retries, focus handling, the debug box. */
export function SignedInFrame({ user }: { user: SessionUser }) {
  const [cacheMiB] = useLocalCacheSetting();
  useLiveUpdates(user.uid, useSession().data?.livePosition);
  useLocalCache(user.uid, cacheMiB === 'off' ? 0 : Number(cacheMiB) * limits.localCacheBytesMin);
  const client = useQueryClient();
  useEffect(() => hideWhileLeft(client, user.uid), [client, user.uid]);
  useEffect(() => retryWhenBack(client), [client]);
  useEffect(keepFocusNearby, []);
  return <DebugBox />;
}

/** Hides a user's page in the back/forward cache until the session has been read again. Returns the cleanup. */
function hideWhileLeft(client: QueryClient, userId: string): () => void {
  const ended = new AbortController();
  const { style } = document.documentElement;
  const hide = () => {
    style.visibility = 'hidden';
  };
  const show = async () => {
    if (style.visibility === '') return;
    // Offline, the library would wait with the read.
    const session = navigator.onLine ? client.fetchQuery({ ...sessionOptions, staleTime: 0 }) : undefined;
    if ((await session?.catch(() => undefined))?.user?.uid === userId) style.visibility = '';
    else window.location.reload();
  };
  window.addEventListener('pagehide', hide, { signal: ended.signal });
  window.addEventListener('pageshow', () => void show(), { signal: ended.signal });
  return () => ended.abort();
}

/** Facts for operators who investigate a problem; turned on in the account screen. */
function DebugBox() {
  const [debug] = useDebugSetting();
  const user = useSession().data?.user;
  if (debug !== 'on' || !user?.isOperator) return null;
  return <Facts email={user.email} />;
}

function Facts({ email }: { email: string | null }) {
  const { data } = useQuery(flagsOptions);
  const facts = [
    ['Flags', data ? (data.isConnected ? 'connected' : 'not connected') : 'unknown'],
    ['Email', email ?? 'none'],
    ['teams', data?.flags.teams ? 'on' : 'off'],
  ];
  return (
    <aside
      aria-label="Debug"
      className="fixed bottom-3 left-3 z-30 rounded-md border border-line-strong bg-raised px-3 py-2 font-mono text-xs shadow-md"
    >
      <dl className="grid grid-cols-[auto_auto] gap-x-3 gap-y-0.5">
        {facts.map(([name, value]) => (
          <div key={name} className="contents">
            <dt className="text-faint">{name}</dt>
            <dd className="wrap-anywhere text-ink">{value}</dd>
          </div>
        ))}
      </dl>
    </aside>
  );
}
