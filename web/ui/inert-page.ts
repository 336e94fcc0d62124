import { useLayoutEffect } from 'react';

/** A dialog can open another one: the page stays closed off until the last of them closes. */
let openDialogs = 0;

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
    openDialogs += 1;
    return () => {
      document.removeEventListener('focusin', closeOff);
      openDialogs -= 1;
      if (openDialogs === 0) page.inert = false;
    };
  }, [isOpen]);
}
