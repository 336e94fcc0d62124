/** Runs `act` once the page is visible: browsers may run a page's scripts before the user opens it. */
export function whenShown(act: () => void): (() => void) | undefined {
  if (!('prerendering' in document && document.prerendering)) {
    act();
    return undefined;
  }
  document.addEventListener('prerenderingchange', act, { once: true });
  return () => document.removeEventListener('prerenderingchange', act);
}
