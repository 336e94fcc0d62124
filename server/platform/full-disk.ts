import type { Blobs } from './blobs/index.ts';
import type { Database } from './db/database.ts';

/** Creates a watch that reports each write to a full disk, so that the status does not wait for its next check. */
export function createDiskWatch() {
  const listeners: (() => void)[] = [];
  const watched = <T>(writing: Promise<T>): Promise<T> =>
    writing.catch((error: unknown) => {
      if ((error as { code?: unknown }).code === 'disk-full') for (const listener of listeners) listener();
      throw error;
    });
  return {
    onFullDisk: (listener: () => void) => void listeners.push(listener),
    ofDatabase: (db: Database): Database => ({
      ...db,
      transaction: (body, options) => watched(db.transaction(body, options)),
    }),
    ofBlobs: (blobs: Blobs): Blobs => ({ ...blobs, put: (key, content) => watched(blobs.put(key, content)) }),
  };
}
