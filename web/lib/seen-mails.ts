import { useSyncExternalStore } from 'react';

const storageName = 'outbox-seen';
const changed = 'outbox-seen';

/** When the newest mail of the outbox was sent that this browser has shown; 0 before the first. */
export function useSeenMails(): number {
  return useSyncExternalStore(subscribe, read, () => 0);
}

/** Notes that mails up to this instant have been shown. */
export function noteSeenMails(sentAt: number): void {
  if (sentAt <= read()) return;
  try {
    localStorage.setItem(storageName, String(sentAt));
  } catch {
    // Storage may be switched off: the note about waiting mails then stays.
  }
  window.dispatchEvent(new Event(changed));
}

function subscribe(notify: () => void): () => void {
  window.addEventListener('storage', notify);
  window.addEventListener(changed, notify);
  return () => {
    window.removeEventListener('storage', notify);
    window.removeEventListener(changed, notify);
  };
}

function read(): number {
  try {
    return Number(localStorage.getItem(storageName)) || 0;
  } catch {
    // Storage may be switched off.
    return 0;
  }
}
