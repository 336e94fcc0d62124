import { useEffect, useRef, useState } from 'react';
import { type ErrorCode, sentenceOf } from '#contract/errors.ts';
import type { IdentityMessage } from '#contract/identity-channel.ts';
import { ApiError } from '../../lib/api-error.ts';
import { listenToIdentity } from '../../lib/identity-channel.ts';
import { request } from '../../lib/request.ts';

type Outcome = Exclude<IdentityMessage, { type: 'session-changed' }> | { type: 'cancelled' } | { type: 'blocked' };

const closedEveryMs = 300;
/** A popup closes itself right after it has told how it ended: what it told may arrive a moment later. */
const lastWordMs = 500;
/** How many sign-ins this page began: all have the same window, which only the newest may steer or close. */
let begun = 0;

/**
 * Begins a sign-in elsewhere in a popup: a POST to `path` tells where. Tells `onOutcome` how it ended, once. Answers what stops
 * listening.
 */
function openSignInPopup(path: string, onOutcome: (outcome: Outcome) => void): () => void {
  // Opened at once: after the answer browsers would take it for an advertisement.
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
  // Nothing tells a page that a window it opened has been closed.
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
 * Begins sign-ins in popups for a screen, one at a time, and tells `onEnd` how each ended. `waitingFor`: the path of the one
 * in progress. A screen that is left listens no more.
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

/** Returns what a sign-in screen says of a sign-in that did not succeed. */
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
  // No answer at all is what people know as a fault of the network.
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
