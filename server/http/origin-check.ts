import type { MiddlewareHandler } from 'hono';
import { AppError } from '#server/app-error.ts';
import { csrfHeader } from './request-context.ts';

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a changing request that a browser sends from another site: a foreign `Origin`, or a cookie without the
 * header that only our own code sends. Clients that send neither cookie nor origin are let through to be authenticated.
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
