import type { ErrorCode } from './errors.ts';

/** BroadcastChannel on which this installation's tabs report sign-ins to each other. */
export const identityChannel = 'lectern-identity';

/** Messages from a social sign-in popup to the page that opened it, and between tabs. */
export type IdentityMessage =
  | { type: 'signed-in'; isNewAccount: boolean }
  | { type: 'sign-in-failed'; code: ErrorCode; message: string }
  | { type: 'session-changed' };
