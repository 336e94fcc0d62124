import type { FeedEntry } from './change-feed.ts';

/**
 * Tells entries in order, but none from one that may have changed who the reader is until `check` has looked: anyone who was
 * taken out of a team hears nothing more of it. `failed` is called when that is unknown.
 */
export function holdWhileChecking(parts: {
  concernsIdentity(entry: FeedEntry): boolean;
  check(): Promise<void>;
  tell(entry: FeedEntry): void;
  failed(): void;
}): (entry: FeedEntry) => void {
  const held: FeedEntry[] = [];
  let isChecking = false;
  let isDue = false;
  const tellHeld = async () => {
    while (isDue) {
      isDue = false;
      await parts.check();
    }
    isChecking = false;
    held.splice(0).forEach(parts.tell);
  };
  return (entry) => {
    const isConcerned = parts.concernsIdentity(entry);
    if (!isChecking && !isConcerned) return parts.tell(entry);
    held.push(entry);
    isDue ||= isConcerned;
    if (isChecking) return;
    isChecking = true;
    void tellHeld().catch(parts.failed);
  };
}
