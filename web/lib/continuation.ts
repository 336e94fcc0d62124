/** The default page after a sign-in. */
export const destinationDefault = '/dashboard';

/**
 * Returns the path to open after a sign-in, or `otherwise` if the target could leave this site. A target must begin
 * with one slash, not two, and contain no line break. Because browsers interpret more than that (a backslash counts as
 * a slash, tabs and dots are dropped), it must also parse to our origin, and to a path that still begins with one
 * slash.
 */
export function safeContinuation(
  target: string | null | undefined,
  origin: string,
  otherwise: string = destinationDefault,
): string {
  if (!target?.startsWith('/') || target.startsWith('//') || /[\r\n]/.test(target)) return otherwise;
  if (!URL.canParse(target, origin)) return otherwise;
  const url = new URL(target, origin);
  if (url.origin !== new URL(origin).origin || url.pathname.startsWith('//')) return otherwise;
  return `${url.pathname}${url.search}${url.hash}`;
}

/** Adds the `cont` parameter to a sign-in or sign-up path, so that it is passed from screen to screen. */
export function withContinuation(path: string, cont: string | null): string {
  if (cont === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}cont=${encodeURIComponent(cont)}`;
}

/** Returns the sign-in path that leads back to `location`. */
export function loginPathFor(location: { pathname: string; search: string; hash: string }): string {
  const target = `${location.pathname}${location.search}${location.hash}`;
  return withContinuation('/login', target === '/' ? null : target);
}
