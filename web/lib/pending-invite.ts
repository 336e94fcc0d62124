const storageName = 'pending-invite';

interface Kept {
  token: string;
  /** Who was signed in when the link was opened. */
  uid: string | null;
}

/** Keeps the token of an invite link over a sign-in, in this tab, with who opened it; null for a visitor. */
export function rememberInvite(token: string, uid: string | null): void {
  try {
    sessionStorage.setItem(storageName, JSON.stringify({ token, uid } satisfies Kept));
  } catch {
    // Storage may be switched off: the link's own address still has the token.
  }
}

/** The token that is kept for this person; one that came while someone else was signed in is not theirs. */
export function pendingInvite(uid: string | null): string | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(storageName) ?? 'null') as Kept | null;
    return kept !== null && (kept.uid === null || kept.uid === uid) ? kept.token : null;
  } catch {
    // Storage is switched off, or holds something else under this name.
    return null;
  }
}

export function forgetInvite(): void {
  try {
    sessionStorage.removeItem(storageName);
  } catch {
    // Storage is switched off: nothing is kept in it.
  }
}
