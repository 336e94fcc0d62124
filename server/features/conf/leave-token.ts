import { seal, unseal } from '#server/platform/sealing.ts';

const label = 'conf-leave';

/**
 * Returns what a mail's way off the list carries: the address itself, sealed with the installation's lasting key, so that every mail's
 * link works for good.
 */
export function leaveTokenFor(key: Uint8Array, email: string): string {
  return seal([key], label, email);
}

/** The address; undefined for what was not made here. */
export function emailOfLeaveToken(key: Uint8Array, token: string): string | undefined {
  return unseal([key], label, token);
}
