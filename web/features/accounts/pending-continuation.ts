const storageName = 'cont';

/** Keeps the page someone wanted, over the detour through the command line and its link. Only for this tab's life. */
export function rememberContinuation(target: string): void {
  try {
    sessionStorage.setItem(storageName, target);
  } catch {
    // Storage may be switched off: the sign-in then ends at the default page.
  }
}

/** The page that was wanted, once. */
export function takeContinuation(): string | null {
  try {
    const target = sessionStorage.getItem(storageName);
    sessionStorage.removeItem(storageName);
    return target;
  } catch {
    // Storage may be switched off.
    return null;
  }
}
