import { writeStored } from './browser-storage.ts';

/**
 * Under this name this browser notes that someone is signed in. It proves nothing and opens nothing. The page is marked with it,
 * or by the server that was sent a session, before scripts run, so that those of visitors can wait (`scripts/start-of-pages.ts`).
 */
const signedInNote = 'signed-in';

/** Runs before the first paint, inline in the head, so that no one who is signed in sees the visitor's header first. */
export const signedInScript = `try{if(localStorage.getItem(${JSON.stringify(signedInNote)}))document.documentElement.dataset.signedIn=""}catch{}`;

/** Notes, or forgets, that someone is signed in; a page that was marked for no one is marked no longer. */
export function noteSignedIn(isSignedIn: boolean): void {
  if (!isSignedIn) delete document.documentElement.dataset['signedIn'];
  // Where it cannot be stored, the server alone marks pages.
  writeStored('localStorage', signedInNote, isSignedIn ? 'yes' : null);
}
