/**
 * Under this name this browser notes that somebody is signed in. It proves nothing and opens nothing: pages of text look
 * at it before their scripts run, so that those of visitors can wait (`scripts/start-of-pages.ts`).
 */
export const signedInNote = 'signed-in';

/** Runs before the first paint, inline in the head, so that nobody who is signed in sees the visitor's header first. */
export const signedInScript = `try{if(localStorage.getItem(${JSON.stringify(signedInNote)}))document.documentElement.dataset.signedIn=""}catch{}`;

/** Notes, or forgets, that somebody is signed in. */
export function noteSignedIn(isSignedIn: boolean): void {
  try {
    if (isSignedIn) localStorage.setItem(signedInNote, 'yes');
    else localStorage.removeItem(signedInNote);
  } catch {
    // Storage is switched off: pages of text then show the visitor's header until somebody turns to them.
  }
}
