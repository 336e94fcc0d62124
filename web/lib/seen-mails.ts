import { useSyncExternalStore } from 'react';
import { readStored, storedChanges, writeStored } from './browser-storage.ts';

const storageName = 'outbox-seen';
const changed = 'outbox-seen';
const subscribe = storedChanges(changed);

/** When the newest mail of the outbox was sent that this browser has shown; 0 before the first. */
export function useSeenMails(): number {
  return useSyncExternalStore(subscribe, read, () => 0);
}

/** Notes that mails up to this instant have been shown. */
export function noteSeenMails(sentAt: number): void {
  if (sentAt <= read()) return;
  // Where it cannot be stored, the note about waiting mails stays.
  writeStored('localStorage', storageName, String(sentAt));
  window.dispatchEvent(new Event(changed));
}

function read(): number {
  return Number(readStored('localStorage', storageName)) || 0;
}
