import { type SealingKeys, seal, unseal } from '#server/platform/sealing.ts';

const label = 'conf-leave';

/** What a mail's way off the list carries: the address itself, sealed, so that every mail's link works for good. */
export function leaveTokenFor(keys: SealingKeys, email: string): string {
  return seal(keys, label, email);
}

/** The address; undefined for what was not made here. */
export function emailOfLeaveToken(keys: SealingKeys, token: string): string | undefined {
  return unseal(keys, label, token);
}
