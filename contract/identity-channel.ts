import type { ErrorCode } from './errors.ts';

/** Tabs of this installation tell each other about sign-ins on this BroadcastChannel. */
export const identityChannel = 'lectern-identity';

/** What the popup of a social sign-in tells the page that opened it, and tabs tell each other. */
export type IdentityMessage =
  | { type: 'signed-in'; isNewAccount: boolean }
  | { type: 'sign-in-failed'; code: ErrorCode; message: string }
  | { type: 'session-changed' };
