import { writeStored } from './browser-storage.ts';

/**
 * Storage key that records that someone is signed in. It is no proof and grants nothing. The page is marked with it, or
 * by the server if it received a session, before scripts run, so that scripts for visitors can wait
 * (`scripts/start-of-pages.ts`).
 */
const signedInNote = 'signed-in';

/** Runs inline in the head before the first paint, so that signed-in users never see the visitor's header. */
export const signedInScript = `try{if(localStorage.getItem(${JSON.stringify(signedInNote)}))document.documentElement.dataset.signedIn=""}catch{}`;

/** Records or clears that someone is signed in; clearing also removes the page's mark. */
export function noteSignedIn(isSignedIn: boolean): void {
  if (!isSignedIn) delete document.documentElement.dataset['signedIn'];
  // If storage fails, only the server marks pages.
  writeStored('localStorage', signedInNote, isSignedIn ? 'yes' : null);
}
