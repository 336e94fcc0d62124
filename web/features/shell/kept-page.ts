import { useEffect, useState } from 'react';
import { createPath, useNavigation } from 'react-router';
import { offlineError } from '../../lib/api-error.ts';
import { request } from '../../lib/request.ts';
import { useToast } from '../../ui/toast.tsx';

/**
 * Keeps the page, with the text typed into it, while the server does not respond. React Router reloads the page if the
 * script of the next screen fails to load, which would show the browser's error page, and does not try that script
 * again. This component cancels that reload and asks the server first: if it responds, the next screen is loaded as a
 * new page. In a browser without the Navigation API, the page is reloaded.
 */
export function KeptPage(): null {
  const toast = useToast();
  const next = useNavigation().location;
  const [isKept, setIsKept] = useState(false);

  useEffect(() => {
    if (!isKept || next === undefined) return;
    // A target that changes meanwhile was shown by the router.
    let isWanted = true;
    request('/healthz').then(
      () => isWanted && window.location.assign(createPath(next)),
      () => isWanted && toast({ id: 'kept-page', message: offlineError().message, tone: 'bad' }),
    );
    return () => {
      isWanted = false;
    };
  }, [isKept, next, toast]);

  useEffect(() => {
    const keep = (event: NavigateEvent) => {
      // A page hidden in the back/forward cache reloads itself (`hideWhileLeft`).
      const isHidden = document.documentElement.style.visibility !== '';
      if (event.navigationType !== 'reload' || event.userInitiated || isHidden) return;
      event.preventDefault();
      setIsKept(true);
    };
    const { navigation } = globalThis as { navigation?: Navigation };
    navigation?.addEventListener('navigate', keep);
    return () => navigation?.removeEventListener('navigate', keep);
  }, []);
  return null;
}
