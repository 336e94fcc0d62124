import { useSyncExternalStore } from 'react';
import { useLocation } from 'react-router';

/**
 * The parameters of the address. A page written at build time knows none: they come with the first render after it has
 * come alive, so that what is written and what is rendered first are the same.
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
