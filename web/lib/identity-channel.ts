import { type IdentityMessage, identityChannel } from '#contract/identity-channel.ts';

/** Notifies all tabs of this browser, including this one, that the session has changed. */
export function announceSessionChange(): void {
  if (!('BroadcastChannel' in window)) return;
  const channel = new BroadcastChannel(identityChannel);
  channel.postMessage({ type: 'session-changed' } satisfies IdentityMessage);
  channel.close();
}

/**
 * Listens to other tabs and sign-in popups; returns a function that stops it. Messages from other origins are ignored.
 */
export function listenToIdentity(listener: (message: IdentityMessage) => void): () => void {
  const ended = new AbortController();
  const hear = ({ data }: MessageEvent<unknown>) => {
    if (isIdentityMessage(data)) listener(data);
  };
  window.addEventListener('message', (event) => event.origin === window.location.origin && hear(event), {
    signal: ended.signal,
  });
  if ('BroadcastChannel' in window) {
    const channel = new BroadcastChannel(identityChannel);
    channel.addEventListener('message', hear);
    ended.signal.addEventListener('abort', () => channel.close());
  }
  return () => ended.abort();
}

function isIdentityMessage(data: unknown): data is IdentityMessage {
  if (typeof data !== 'object' || data === null || !('type' in data)) return false;
  return data.type === 'signed-in' || data.type === 'sign-in-failed' || data.type === 'session-changed';
}
