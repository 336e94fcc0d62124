import type { SessionUser } from '#contract/accounts.ts';
import { limits } from '#contract/limits.ts';
import { useLiveUpdates } from '../../lib/live/use-live-updates.ts';
import { useLocalCache } from '../../lib/local-cache.ts';
import { useLocalCacheSetting } from '../../ui/local-cache-setting.ts';
import { DebugBox } from './debug-box.tsx';

/** What goes on around every page of someone who is signed in: live updates, what this browser keeps, the debug box. */
export function SignedInFrame({ user }: { user: SessionUser }) {
  const [cacheMiB] = useLocalCacheSetting();
  useLiveUpdates(user.uid);
  useLocalCache(user.uid, cacheMiB === 'off' ? 0 : Number(cacheMiB) * limits.localCacheBytesMin);
  return <DebugBox />;
}
