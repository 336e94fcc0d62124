import { readStored, writeStored } from '../../lib/browser-storage.ts';

const storageName = 'cont';

/**
 * Keeps the page someone wanted, over the detour through the command line and its link. Only for this tab's life; where it
 * cannot be stored, the sign-in ends at the default page.
 */
export function rememberContinuation(target: string): void {
  writeStored('sessionStorage', storageName, target);
}

/** The page that was wanted, once. */
export function takeContinuation(): string | null {
  const target = readStored('sessionStorage', storageName);
  writeStored('sessionStorage', storageName, null);
  return target;
}
