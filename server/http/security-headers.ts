import type { MiddlewareHandler } from 'hono';

/** Headers of every answer; `scriptHashes` are those of the inline scripts the web build lists. */
export function securityHeaders(scriptHashes: string[]): MiddlewareHandler {
  const policy = [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes.map((hash) => `'${hash}'`).join(' ')}`.trim(),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    headers.set('x-content-type-options', 'nosniff');
    headers.set('referrer-policy', 'same-origin');
    headers.set('x-frame-options', 'DENY');
    headers.set('cross-origin-opener-policy', 'same-origin-allow-popups');
    headers.set('permissions-policy', 'camera=(), geolocation=(), microphone=()');
    if ((headers.get('content-type') ?? '').startsWith('text/html')) headers.set('content-security-policy', policy);
  };
}
