import { jsonOf } from '#contract/lenient.ts';
import { readStored, writeStored } from './browser-storage.ts';

const storageName = 'pending-invite';

interface Kept {
  token: string;
  /** Who was signed in when the link was opened. */
  uid: string | null;
}

/**
 * Keeps the token of an invite link over a sign-in, in this tab, with who opened it; null for a visitor. Where it cannot be
 * stored, the link's own address still has the token.
 */
export function rememberInvite(token: string, uid: string | null): void {
  writeStored('sessionStorage', storageName, JSON.stringify({ token, uid } satisfies Kept));
}

/** The token that is kept for this person; one that came while someone else was signed in is not theirs. */
export function pendingInvite(uid: string | null): string | null {
  const kept = jsonOf(readStored('sessionStorage', storageName) ?? '') as Kept | null | undefined;
  return kept && (kept.uid === null || kept.uid === uid) ? kept.token : null;
}

export function forgetInvite(): void {
  writeStored('sessionStorage', storageName, null);
}
