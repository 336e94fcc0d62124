import { readStored, writeStored } from '../../lib/browser-storage.ts';

const storageName = 'cont';

/**
 * Stores the requested page while the user signs in through a link from the command line or an email. Lasts as long as
 * the tab; if storage fails, the sign-in ends at the default page.
 */
export function rememberContinuation(target: string): void {
  writeStored('sessionStorage', storageName, target);
}

/** Returns the requested page once, and clears it. */
export function takeContinuation(): string | null {
  const target = readStored('sessionStorage', storageName);
  writeStored('sessionStorage', storageName, null);
  return target;
}
