import { readStored, writeStored } from './browser-storage.ts';

const storageName = 'farewell';
const farewells = ['account-deleted', 'signed-out', 'left'] as const;
export type Farewell = (typeof farewells)[number];

/**
 * Keeps why the session ended, in this tab, for the screen that the person lands on: `left` when they signed out here. That it ended may
 * be heard before or after why.
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
