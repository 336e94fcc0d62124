import { useEffect, useRef } from 'react';
import { createPath, useNavigation } from 'react-router';
import { offlineError } from '../../lib/api-error.ts';
import { request } from '../../lib/request.ts';
import { useToast } from '../../ui/toast.tsx';

/**
 * Keeps the page, with the text typed into it, while the server does not respond. React Router reloads the page if the
 * script of the next screen fails to load, which would show the browser's error page, and does not try that script
 * again. This hook cancels that reload and asks the server first: if it responds, the next screen is loaded as a new
 * page. In a browser without the Navigation API, the page is reloaded.
 */
export function useKeptPage(): void {
  const toast = useToast();
  const next = useNavigation().location;
  const wanted = useRef(next);
  const isKept = useRef(false);

  useEffect(() => {
    wanted.current = next;
    if (isKept.current && next !== undefined) void leave();
  });
  async function leave(): Promise<void> {
    const target = wanted.current;
    const isThere = await request('/healthz').then(
      () => true,
      () => false,
    );
    if (!isThere) toast({ id: 'kept-page', message: offlineError().message, tone: 'bad' });
    // If the target has changed, the router has shown the screen itself.
    else if (target !== undefined && target === wanted.current) window.location.assign(createPath(target));
  }

  useEffect(() => {
    const keep = (event: NavigateEvent) => {
      if (event.navigationType !== 'reload' || event.userInitiated || wanted.current === undefined) return;
      event.preventDefault();
      isKept.current = true;
      void leave();
    };
    const { navigation } = globalThis as { navigation?: Navigation };
    navigation?.addEventListener('navigate', keep);
    return () => navigation?.removeEventListener('navigate', keep);
  });
}
