import { seal, unseal } from '#server/platform/sealing.ts';

const label = 'conf-leave';

/**
 * Returns the token of an email's unsubscribe link: the address itself, sealed with the installation's lasting key, so
 * that links work forever.
 */
export function leaveTokenFor(key: Uint8Array, email: string): string {
  return seal([key], label, email);
}

/** Returns the token's address; undefined if the token was not created here. */
export function emailOfLeaveToken(key: Uint8Array, token: string): string | undefined {
  return unseal([key], label, token);
}
