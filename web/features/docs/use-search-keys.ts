import { type RefObject, useEffect } from 'react';

/** Opens the search by its buttons in a written page, and by `/` wherever no one is typing. */
export function useSearchKeys(element: RefObject<HTMLElement | null>, open: () => void): void {
  useEffect(() => {
    const onClick = (event: MouseEvent): void => {
      const isOurs = event.target instanceof Element && event.target.closest('[data-docs-search]') !== null;
      if (isOurs && element.current?.contains(event.target as Element)) open();
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      open();
    };
    document.addEventListener('click', onClick);
    document.addEventListener('keydown', onKey);
    return () => {
      document.removeEventListener('click', onClick);
      document.removeEventListener('keydown', onKey);
    };
  }, [element, open]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof Element && target.closest('input, textarea, select, [contenteditable], [role="dialog"]') !== null
  );
}
