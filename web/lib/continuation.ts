/** Where a sign-in leads when nothing else was asked for. */
export const destinationDefault = '/search';

/**
 * The path to go to after signing in. Anything that could leave this site is replaced by the default: the target must
 * begin with one slash, hold no line break, tab or backslash, and parse to our own origin.
 */
export function safeContinuation(target: string | null | undefined, origin: string): string {
  if (!target?.startsWith('/') || target.startsWith('//') || /[\r\n\t\\]/.test(target)) return destinationDefault;
  if (!URL.canParse(target, origin)) return destinationDefault;
  const url = new URL(target, origin);
  if (url.origin !== new URL(origin).origin || url.pathname.startsWith('//')) return destinationDefault;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Address of the sign-in screen that leads back to `location` afterwards. */
export function loginPathFor(location: { pathname: string; search: string; hash: string }): string {
  const target = `${location.pathname}${location.search}${location.hash}`;
  return target === '/' ? '/login' : `/login?cont=${encodeURIComponent(target)}`;
}
