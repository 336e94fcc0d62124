import { useLayoutEffect } from 'react';

/**
 * Keeps Tab from the page behind a modal dialog while it is open: the dialog's own guards let a held key through. The page is
 * closed off once the dialog has the focus, and opened before the dialog gives it back.
 */
export function useInertPage(isOpen: boolean): void {
  useLayoutEffect(() => {
    const page = document.querySelector('main')?.closest<HTMLElement>('body > *');
    if (!isOpen || !page) return undefined;
    const closeOff = ({ target }: FocusEvent) => {
      if (target instanceof Node && !page.contains(target)) page.inert = true;
    };
    document.addEventListener('focusin', closeOff);
    return () => {
      document.removeEventListener('focusin', closeOff);
      page.inert = false;
    };
  }, [isOpen]);
}
