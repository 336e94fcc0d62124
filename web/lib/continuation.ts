/** Where a sign-in leads when nothing else was asked for. */
export const destinationDefault = '/dashboard';

/**
 * The path to go to after signing in; `otherwise` for anything that could leave this site. A target begins with one
 * slash, not two, and holds no line break. As browsers read more into it than that (a backslash is a slash to them, tabs
 * and dots vanish), it must also parse to our own origin, and to a path that still begins with one slash.
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

/** The `cont` parameter for a screen on the way in, so that it is kept from one to the next. */
export function withContinuation(path: string, cont: string | null): string {
  if (cont === null) return path;
  return `${path}${path.includes('?') ? '&' : '?'}cont=${encodeURIComponent(cont)}`;
}

/** Address of the sign-in screen that leads back to `location` afterwards. */
export function loginPathFor(location: { pathname: string; search: string; hash: string }): string {
  const target = `${location.pathname}${location.search}${location.hash}`;
  return withContinuation('/login', target === '/' ? null : target);
}
