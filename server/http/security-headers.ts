import type { MiddlewareHandler } from 'hono';
import { AppError } from '#server/app-error.ts';
import { csrfHeader } from './request-context.ts';

/** Addresses that contain codes from emails and sign-ins. */
const pathsWithCodes = /^\/(auth|api\/identity\/(oauth|sign-on))\//;
const yearSeconds = 31_536_000;

interface PolicyParts {
  /** Hashes (`sha256-…`) of the page's inline scripts. */
  scriptHashes: readonly string[];
  /** Origin that the configured tag for counting sign-ups is loaded from and reports to. */
  tagOrigin: string | undefined;
}

/** Returns the content security policy for pages of the browser application. */
export function pagePolicy({ scriptHashes, tagOrigin }: PolicyParts): string {
  const tag = tagOrigin === undefined ? [] : [tagOrigin];
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`), ...tag].join(' '),
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...tag].join(' '),
    "font-src 'self'",
    "media-src 'self'",
    ["connect-src 'self'", ...tag].join(' '),
    "manifest-src 'self'",
    "object-src 'none'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/** Adds headers to every response. A page with its own policy keeps it. */
export function securityHeaders({
  tagOrigin,
  isHttps,
}: {
  tagOrigin: string | undefined;
  isHttps: boolean;
}): MiddlewareHandler {
  const policy = pagePolicy({ scriptHashes: [], tagOrigin });
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', pathsWithCodes.test(c.req.path) ? 'no-referrer' : 'same-origin');
    headers.set('x-frame-options', 'DENY');
    // A page that opens the popup of a social sign-in must be able to detect that it was closed.
    headers.set('cross-origin-opener-policy', 'same-origin-allow-popups');
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    // Proxies may cache a response that does not say, also one for an API key in a header that they don't know.
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    if (isHttps) headers.set('strict-transport-security', `max-age=${yearSeconds}`);
    const type = headers.get('content-type') ?? '';
    if (type === 'application/json') headers.set('content-type', 'application/json; charset=utf-8');
    if (type.startsWith('text/html') && !headers.has('content-security-policy')) {
      headers.set('content-security-policy', policy);
    }
  };
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a changing request that a browser sends from another site: a foreign `Origin`, or a cookie without the header
 * that only our own code sends. Clients that send neither a cookie nor an origin continue to authentication.
 */
export function originCheck(isOwnOrigin: (origin: string, host: string) => boolean): MiddlewareHandler {
  return async (c, next) => {
    if (readingMethods.has(c.req.method)) return next();
    const origin = c.req.header('origin');
    if (origin !== undefined && !isOwnOrigin(origin, c.req.header('host') ?? '')) throw new AppError('origin-refused');
    if (c.req.header('cookie') !== undefined && c.req.header(csrfHeader) === undefined) {
      throw new AppError('origin-refused');
    }
    return next();
  };
}
