import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { type LiveEvent, liveEventSchema } from '#contract/live.ts';
import { type Session, sessionKey } from '../session.ts';
import { useWorkspaceId } from '../workspace.ts';
import { applyLiveEvent } from './apply-live-event.ts';
import { followChanges } from './live-connection.ts';

/**
 * Keeps every live query of this page current while someone is signed in: by one connection for all open tabs, which
 * are in the same workspace, where the browser lets them agree on who holds it; else by one for each.
 */
export function useLiveUpdates(userId: string, livePosition: string | undefined): void {
  const client = useQueryClient();
  const workspace = useWorkspaceId();
  const begin = useRef(livePosition);
  useEffect(() => {
    const over = new AbortController();
    // Nothing follows the workspace that was left: its queries are read again when one comes back.
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
        // Another session of the same person may have begun meanwhile, as after a change of the password.
        await client.refetchQueries({ queryKey: sessionKey });
        isTheirs = client.getQueryData<Session>(sessionKey)?.user?.uid === userId;
      }
    };
    // Locks are missing where the page was not loaded over https or from this machine.
    if ('locks' in navigator) {
      void navigator.locks.request(name, { signal: over.signal }, follow).catch(() => undefined);
      // What this tab read before it listened may be older than what the one that follows has told since.
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
