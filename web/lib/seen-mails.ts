import { useSyncExternalStore } from 'react';
import { readStored, storedChanges, writeStored } from './browser-storage.ts';

const storageName = 'outbox-seen';
const changed = 'outbox-seen';
const subscribe = storedChanges(changed);

/** Returns when the newest outbox email shown in this browser was sent; 0 before the first. */
export function useSeenMails(): number {
  return useSyncExternalStore(subscribe, read, () => 0);
}

/** Records that emails up to this time have been shown. */
export function noteSeenMails(sentAt: number): void {
  if (sentAt <= read()) return;
  // If storage fails, the notice about waiting emails stays.
  writeStored('localStorage', storageName, String(sentAt));
  window.dispatchEvent(new Event(changed));
}

function read(): number {
  return Number(readStored('localStorage', storageName)) || 0;
}
