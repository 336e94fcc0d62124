import type { IdentityMessage } from '#contract/identity-channel.ts';
import { listenToIdentity } from '../../lib/identity-channel.ts';

type Outcome = Exclude<IdentityMessage, { type: 'session-changed' }> | { type: 'cancelled' } | { type: 'blocked' };

const closedEveryMs = 300;
/** A popup closes itself right after it has told how it ended: what it told may arrive a moment later. */
const lastWordMs = 500;

/** Opens a sign-in elsewhere (`path` leads there) in a popup; tells `onOutcome` how it ended, once. Answers what stops listening. */
export function openSignInPopup(path: string, onOutcome: (outcome: Outcome) => void): () => void {
  const popup = window.open(path, 'lectern-sign-in', popupFeatures());
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
  const stop = () => {
    stopListening();
    clearInterval(timer);
    clearTimeout(lastWord);
  };
  return stop;
}

function popupFeatures(): string {
  const width = 520;
  const height = 680;
  const left = Math.max(0, window.screenX + (window.outerWidth - width) / 2);
  const top = Math.max(0, window.screenY + (window.outerHeight - height) / 2);
  return `popup,width=${width},height=${height},left=${Math.round(left)},top=${Math.round(top)}`;
}
