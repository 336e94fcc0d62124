import { useEffect } from 'react';

/** Under this name this browser keeps what was read last time, where someone has turned that on. */
export const keptStorageName = 'query-cache';

/** Undefined where storage is switched off: nothing is kept. */
export function browserStorage(): Storage | undefined {
  try {
    return localStorage;
  } catch {
    // Storage is switched off: nothing is kept.
    return undefined;
  }
}

export function clearKept(storage: Storage): void {
  try {
    storage.removeItem(keptStorageName);
  } catch {
    // Storage is switched off: nothing is kept in it.
  }
}

/** Leaves nothing of what was read in this browser, once it is certain that no one is signed in. */
export function useForgetKept(isVisitor: boolean): void {
  useEffect(() => {
    const storage = isVisitor ? browserStorage() : undefined;
    if (storage !== undefined) clearKept(storage);
  }, [isVisitor]);
}
