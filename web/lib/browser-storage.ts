/** `localStorage` outlives the tab, and all tabs share it; `sessionStorage` is one tab's. Either may be switched off or full. */
type Place = 'localStorage' | 'sessionStorage';

/** Returns what this browser stored under a name; null without it. */
export function readStored(place: Place, name: string): string | null {
  try {
    return window[place].getItem(name);
  } catch {
    return null;
  }
}

/** Stores a value under a name, or removes it with null. Returns false where it could not. */
export function writeStored(place: Place, name: string, value: string | null): boolean {
  try {
    if (value === null) window[place].removeItem(name);
    else window[place].setItem(name, value);
    return true;
  } catch {
    return false;
  }
}

/** Returns what `useSyncExternalStore` subscribes to: changes by other tabs, and those that this tab tells with an event of this name. */
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
