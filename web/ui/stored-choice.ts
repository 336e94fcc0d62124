import { useCallback, useSyncExternalStore } from 'react';

const changed = 'stored-choice';

/**
 * A choice that this browser remembers, shared by all components and tabs. A stored value that is not among `choices`
 * counts as the first of them. Without storage, it lasts until the page is left.
 */
export function useStoredChoice<Choice extends string>(
  name: string,
  choices: readonly [Choice, ...Choice[]],
): [Choice, (choice: Choice) => void] {
  const read = useCallback(
    () => choices.find((choice) => choice === (unsaved.get(name) ?? readStored(name))) ?? choices[0],
    [name, choices],
  );
  const choice = useSyncExternalStore(subscribe, read, () => choices[0]);
  const choose = useCallback((next: Choice) => writeStored(name, next), [name]);
  return [choice, choose];
}

const unsaved = new Map<string, string>();

function subscribe(notify: () => void): () => void {
  window.addEventListener('storage', notify);
  window.addEventListener(changed, notify);
  return () => {
    window.removeEventListener('storage', notify);
    window.removeEventListener(changed, notify);
  };
}

function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    // Storage may be disabled; the choice is then in `unsaved`.
    return null;
  }
}

function writeStored(name: string, choice: string): void {
  try {
    localStorage.setItem(name, choice);
    unsaved.delete(name);
  } catch {
    // Storage may be disabled or full.
    unsaved.set(name, choice);
  }
  window.dispatchEvent(new Event(changed));
}
