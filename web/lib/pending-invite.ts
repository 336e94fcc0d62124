import { jsonOf } from '#contract/lenient.ts';
import { readStored, writeStored } from './browser-storage.ts';

const storageName = 'pending-invite';

interface Kept {
  token: string;
  /** The user signed in when the link was opened. */
  uid: string | null;
}

/**
 * Stores an invite link's token during a sign-in, in this tab, with the id of the user who opened it; null for a
 * visitor. If storage fails, the link's own address still has the token.
 */
export function rememberInvite(token: string, uid: string | null): void {
  writeStored('sessionStorage', storageName, JSON.stringify({ token, uid } satisfies Kept));
}

/** Returns the token stored for this user. A token opened under a different user's session is not returned. */
export function pendingInvite(uid: string | null): string | null {
  const kept = jsonOf(readStored('sessionStorage', storageName) ?? '') as Kept | null | undefined;
  return kept && (kept.uid === null || kept.uid === uid) ? kept.token : null;
}

export function forgetInvite(): void {
  writeStored('sessionStorage', storageName, null);
}
