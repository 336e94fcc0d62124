const goneReasons = new Set(['http-401', 'http-403', 'http-404', 'http-410', 'http-451']);

/**
 * Returns true if a page that failed for this reason is gone, or closed to us. After any other failure it is in trouble for now:
 * its last version is kept, and so is what that led to.
 */
export function isGone(reason: string | undefined): boolean {
  return goneReasons.has(reason ?? '');
}
