import { useEffect } from 'react';

/** By then, the screen has loaded what it shows first. */
const waitMs = 1_500;

/**
 * Loads scripts of parts that the screen may show next, so that they appear at once, and also while the server is away.
 * A part that fails to load here is requested again when it is shown.
 */
export function useLoadSoon(loads: readonly (() => Promise<unknown>)[]): void {
  useEffect(() => {
    const soon = setTimeout(() => {
      for (const load of loads) load().catch(() => undefined);
    }, waitMs);
    return () => clearTimeout(soon);
  }, [loads]);
}
