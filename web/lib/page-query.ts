import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

/**
 * Returns the address's parameters. Prerendered pages have none until the first render after hydration, so that the
 * first render matches the HTML.
 */
export function usePageQuery(): URLSearchParams {
  const { search } = useLocation();
  const isAlive = useSyncExternalStore(
    () => () => undefined,
    () => true,
    () => false,
  );
  return new URLSearchParams(isAlive ? search : '');
}
