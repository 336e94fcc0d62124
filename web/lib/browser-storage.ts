/**
 * `localStorage` outlives the tab and is shared by all tabs; `sessionStorage` belongs to one tab. Either may be
 * disabled or full.
 */
type Place = 'localStorage' | 'sessionStorage';

/** Returns the value stored under a name, or null. */
export function readStored(place: Place, name: string): string | null {
  try {
    return window[place].getItem(name);
  } catch {
    return null;
  }
}

/** Stores a value under a name, or removes it if null. Returns false if storage failed. */
export function writeStored(place: Place, name: string, value: string | null): boolean {
  try {
    if (value === null) window[place].removeItem(name);
    else window[place].setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Returns a subscribe function for `useSyncExternalStore`: it reports changes by other tabs, and by this tab through an
 * event of this name.
 */
export function storedChanges(event: string): (notify: () => void) => () => void {
  return (notify) => {
    window.addEventListener('storage', notify);
    window.addEventListener(event, notify);
    return () => {
      window.removeEventListener('storage', notify);
      window.removeEventListener(event, notify);
    };
  };
}
