import type { MiddlewareHandler } from 'hono';

/**
 * Headers of every answer; `scriptHashes` are those of the inline scripts the web build lists, `tagOrigin` is where the
 * configured tag that counts sign-ups may be loaded from and report to.
 */
export function securityHeaders(scriptHashes: string[], tagOrigin: string | undefined): MiddlewareHandler {
  const tag = tagOrigin === undefined ? [] : [tagOrigin];
  const policy = [
    "default-src 'none'",
    ["script-src 'self'", ...scriptHashes.map((hash) => `'${hash}'`), ...tag].join(' '),
    "style-src 'self' 'unsafe-inline'",
    ["img-src 'self' data:", ...tag].join(' '),
    "font-src 'self'",
    ["connect-src 'self'", ...tag].join(' '),
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('x-content-type-options', 'nosniff');
    // The links of our mails carry a code.
    headers.set('referrer-policy', c.req.path.startsWith('/auth/') ? 'no-referrer' : 'same-origin');
    headers.set('x-frame-options', 'DENY');
    headers.set('cross-origin-opener-policy', 'same-origin-allow-popups');
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    if ((headers.get('content-type') ?? '').startsWith('text/html')) headers.set('content-security-policy', policy);
  };
}
