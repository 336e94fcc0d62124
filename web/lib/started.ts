import { useEffect, useSyncExternalStore } from 'react';
import { startedEvent } from './started-event.ts';

/** Marks the page as interactive, and repeats the presses and submissions made before (`scripts/start-of-pages.ts`). */
export function useTellStarted(): void {
  useEffect(() => {
    let isGone = false;
    void tellTyped().then(() => {
      if (isGone) return;
      document.documentElement.dataset['started'] = '';
      window.dispatchEvent(new Event(startedEvent));
      window.pressed?.click();
      window.sent?.requestSubmit();
    });
    return () => {
      isGone = true;
    };
  }, []);
}

type Field = (HTMLInputElement | HTMLTextAreaElement) & { _valueTracker?: { setValue(value: string): void } };

/**
 * Hydration keeps text typed into fields but notifies no component. Notifies them now, one field after the other,
 * because a form with a single state must process the first field before the second.
 */
async function tellTyped(): Promise<void> {
  for (const field of document.querySelectorAll<Field>('input, textarea')) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      // In a radio group, only the selected input reports: resetting another one first would select it for a moment.
      if (field.checked === field.defaultChecked || (field.type === 'radio' && !field.checked)) continue;
      field.checked = field.defaultChecked;
      field.click();
      await rendered();
    } else if (field.value !== field.defaultValue) {
      // React ignores an event whose value it already saw, and it saw this text during hydration.
      field._valueTracker?.setValue(field.defaultValue);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await rendered();
    }
  }
}

/** React renders an event's changes before the next task. */
function rendered(): Promise<void> {
  return new Promise((done) => void setTimeout(done));
}

const never = () => () => undefined;

/** Returns false while a prerendered page is being hydrated and must match its HTML, then true. */
export function useIsStarted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
