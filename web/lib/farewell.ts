import { readStored, writeStored } from './browser-storage.ts';

const storageName = 'farewell';
const farewells = ['account-deleted', 'signed-out', 'left'] as const;
export type Farewell = (typeof farewells)[number];

/**
 * Stores why the session ended, in this tab, for the screen that is shown next: `left` if the user signed out here. The
 * end of the session may be noticed before or after its reason.
 */
export function noteFarewell(reason: Farewell): void {
  if (reason !== 'signed-out' || readFarewell() === undefined) writeStored('sessionStorage', storageName, reason);
}

export function readFarewell(): Farewell | undefined {
  const kept = readStored('sessionStorage', storageName);
  return farewells.find((reason) => reason === kept);
}

export function forgetFarewell(): void {
  writeStored('sessionStorage', storageName, null);
}
