const goneReasons = new Set(['http-401', 'http-403', 'http-404', 'http-410', 'http-451']);

/**
 * Returns true if the failure means that a page is gone or forbidden. Other failures are temporary: the page's last
 * version is kept, and so are the pages it links to.
 */
export function isGone(reason: string | undefined): boolean {
  return goneReasons.has(reason ?? '');
}
