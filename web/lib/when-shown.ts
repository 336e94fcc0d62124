/** Runs `act` once the page is on screen: a browser may run a page's scripts before anyone opens it. */
export function whenShown(act: () => void): (() => void) | undefined {
  if (!('prerendering' in document && document.prerendering)) {
    act();
    return undefined;
  }
  document.addEventListener('prerenderingchange', act, { once: true });
  return () => document.removeEventListener('prerenderingchange', act);
}
