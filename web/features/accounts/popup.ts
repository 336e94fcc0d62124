import { useEffect, useRef, useState } from 'react';
import { type ErrorCode, sentenceOf } from '#contract/errors.ts';
import type { IdentityMessage } from '#contract/identity-channel.ts';
import { ApiError } from '../../lib/api-error.ts';
import { listenToIdentity } from '../../lib/identity-channel.ts';
import { request } from '../../lib/request.ts';

type Outcome = Exclude<IdentityMessage, { type: 'session-changed' }> | { type: 'cancelled' } | { type: 'blocked' };

const closedEveryMs = 300;
/** A popup closes right after it sends its result, which may arrive a moment later. */
const lastWordMs = 500;
/** Number of sign-ins this page has started. They share a window, which only the newest may control or close. */
let begun = 0;

/**
 * Starts a third-party sign-in in a popup: a POST to `path` returns its address. Calls `onOutcome` once with the
 * result. Returns a function that stops listening.
 */
function openSignInPopup(path: string, onOutcome: (outcome: Outcome) => void): () => void {
  // Opened before the request: browsers would block a popup opened after the response.
  const popup = window.open('', 'lectern-sign-in', popupFeatures());
  if (popup === null) {
    onOutcome({ type: 'blocked' });
    return () => undefined;
  }
  const end = (outcome: Outcome) => {
    stop();
    onOutcome(outcome);
  };
  const stopListening = listenToIdentity((message) => {
    if (message.type !== 'session-changed') end(message);
  });
  let lastWord: ReturnType<typeof setTimeout> | undefined;
  // No event reports that a popup was closed.
  const timer = setInterval(() => {
    if (!popup.closed) return;
    clearInterval(timer);
    lastWord = setTimeout(() => end({ type: 'cancelled' }), lastWordMs);
  }, closedEveryMs);
  const turn = ++begun;
  const ended = new AbortController();
  const stop = () => {
    ended.abort();
    stopListening();
    clearInterval(timer);
    clearTimeout(lastWord);
  };
  request(path, { method: 'POST', signal: ended.signal }).then(
    ({ content }) => popup.location.replace((content as { redirectTo: string }).redirectTo),
    (error: unknown) => {
      if (turn === begun) popup.close();
      if (!ended.signal.aborted) end({ type: 'sign-in-failed', ...faultOf(error) });
    },
  );
  return stop;
}

/**
 * Starts sign-ins in popups, one at a time, and calls `onEnd` with each result. `waitingFor` is the path of the one in
 * progress. Stops listening when the screen unmounts.
 */
export function useSignInPopup(onEnd: (outcome: Outcome) => void) {
  const [waitingFor, setWaitingFor] = useState<string>();
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  const begin = (path: string) => {
    stop.current?.();
    setWaitingFor(path);
    stop.current = openSignInPopup(path, (outcome) => {
      setWaitingFor(undefined);
      onEnd(outcome);
    });
  };
  return { waitingFor, begin };
}

/** Returns the message for a sign-in that did not succeed. */
export function sentenceOfEnd(outcome: Exclude<Outcome, { type: 'signed-in' }>): string {
  switch (outcome.type) {
    case 'sign-in-failed':
      return outcome.message;
    case 'cancelled':
      return sentenceOf('popup-closed-by-user');
    case 'blocked':
      return sentenceOf('popup-blocked');
  }
}

function faultOf(error: unknown): { code: ErrorCode; message: string } {
  const { code, message } = error instanceof ApiError ? error : { code: undefined, message: '' };
  // To users, a missing response is a network error.
  if (code === 'offline') return { code: 'network-request-failed', message: sentenceOf('network-request-failed') };
  if (code === undefined || code === 'unreadable')
    return { code: 'sign-in-failed', message: sentenceOf('sign-in-failed') };
  return { code, message };
}

function popupFeatures(): string {
  const width = 520;
  const height = 680;
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`;
}
