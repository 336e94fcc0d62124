import { useEffect, useSyncExternalStore } from 'react';
import { startedEvent } from './started-event.ts';

/** Tells that what is on the page answers from now on, and does what was pressed and sent before (`scripts/start-of-pages.ts`). */
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
 * Taking a page over keeps what was typed into its fields, but notifies no component: they are notified now, one field after the
 * other, as a form that keeps all its fields in one state must have the first before the second.
 */
async function tellTyped(): Promise<void> {
  for (const field of document.querySelectorAll<Field>('input, textarea')) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
      // Of a group, the one that is chosen tells it: putting another back first would show that one for a moment.
      if (field.checked === field.defaultChecked || (field.type === 'radio' && !field.checked)) continue;
      field.checked = field.defaultChecked;
      field.click();
      await rendered();
    } else if (field.value !== field.defaultValue) {
      // React passes over an event that brings what it saw before, and it saw the text when it took the page over.
      field._valueTracker?.setValue(field.defaultValue);
      field.dispatchEvent(new Event('input', { bubbles: true }));
      await rendered();
    }
  }
}

/** What an event has changed is rendered before the next task. */
function rendered(): Promise<void> {
  return new Promise((done) => void setTimeout(done));
}

const never = () => () => undefined;

/** Returns true if more may be shown than what was written at build time: false while a written page is taken over. */
export function useIsStarted(): boolean {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
