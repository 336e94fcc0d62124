import { useEffect } from 'react';

/** Storage key of the optional local cache of earlier reads. */
export const keptStorageName = 'query-cache';

/** Returns undefined if storage is disabled: nothing is kept. */
export function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    // Storage is disabled: nothing is kept.
    return undefined;
  }
}

export function clearKept(storage: Storage): void {
  try {
    storage.removeItem(keptStorageName);
  } catch {
    // Storage is disabled, so it holds nothing.
  }
}

/** Deletes the local cache once it is certain that no one is signed in. */
export function useForgetKept(isVisitor: boolean): void {
  useEffect(() => {
    const storage = isVisitor ? browserStorage() : undefined;
    if (storage !== undefined) clearKept(storage);
  }, [isVisitor]);
}
