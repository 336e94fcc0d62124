import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import { type Session, sessionKey } from '../session.ts';
import { useWorkspaceId } from '../workspace.ts';
import { applyLiveEvent } from './apply-live-event.ts';
import { followChanges } from './live-connection.ts';

/**
 * Keeps all live queries of this page current while someone is signed in. If the browser supports locks, all tabs in
 * the same workspace share one connection; otherwise each tab has its own.
 */
export function useLiveUpdates(userId: string, livePosition: string | undefined): void {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const begin = useRef(livePosition);
  useEffect(() => {
    const over = new AbortController();
    // The previous workspace is no longer followed: its queries are reloaded when the user returns to it.
    let position = begin.current;
    begin.current = undefined;
    const name = `live:${userId}:${workspace}`;
    const channel = new BroadcastChannel(name);
    channel.onmessage = ({ data }: MessageEvent<{ event: unknown; position: string }>) => {
      const event = liveEventSchema.safeParse(data.event);
      if (!event.success) return;
      position = data.position;
      applyLiveEvent(client, event.data, workspace);
    };
    const hear = (event: LiveEvent, at: string) => {
      position = at || position;
      applyLiveEvent(client, event, workspace);
      channel.postMessage({ event, position });
    };
    const follow = async () => {
      let isTheirs = true;
      while (isTheirs) {
        await followChanges(hear, { workspace, position: () => position }, over.signal);
        if (over.signal.aborted) return;
        // The user may have a new session meanwhile, for example after a password change.
        await client.refetchQueries({ queryKey: sessionKey });
        isTheirs = client.getQueryData<Session>(sessionKey)?.user?.uid === userId;
      }
    };
    // Locks exist only on pages loaded over https or from localhost.
    if ('locks' in navigator) {
      void navigator.locks.request(name, { signal: over.signal }, follow).catch(() => undefined);
      // Data that this tab read before it listened may be older than events the connected tab has already broadcast.
      void navigator.locks.query().then(({ pending }) => {
        if (pending?.some((lock) => lock.name === name)) applyLiveEvent(client, { type: 'refresh' }, workspace);
      });
    } else void follow();
    return () => {
      over.abort();
      channel.close();
    };
  }, [client, userId, workspace]);
}
