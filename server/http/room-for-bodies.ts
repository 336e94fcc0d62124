import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import * as limits from '#contract/limits.ts';
import { AppError } from '#server/app-error.ts';
import { networkOf } from '#server/features/accounts/index.ts';

/** A body of this size takes little more than its connection. */
const smallBytesMax = 64_000;
/** Bytes of bodies that arrive at a time from one network… */
export const arrivingOfOneMax = 32 * limits.requestBytesMax;
/** …and from all together. */
const arrivingMax = 256 * limits.requestBytesMax;
const tryAgainSeconds = 10;

/**
 * Refuses (`rate-limited`, `too-busy`) bodies for which there is no room: they are kept in memory until they are whole, most of
 * them before anything is known of the sender. Those beyond `requestBytesMax` are counted where they are read (`boundedBody`).
 */
export function roomForBodies(
  addressOf: (c: HonoContext) => string,
  refuse: (c: HonoContext, error: AppError) => Promise<Response>,
): MiddlewareHandler {
  const arriving = new Map<string, number>();
  let all = 0;
  return async (c, next) => {
    const bytes = bytesIn(c);
    if (bytes <= smallBytesMax || bytes > limits.requestBytesMax) return next();
    const network = networkOf(addressOf(c));
    const own = (arriving.get(network) ?? 0) + bytes;
    const refusal = own > arrivingOfOneMax ? 'rate-limited' : all + bytes > arrivingMax ? 'too-busy' : undefined;
    if (refusal !== undefined) {
      const values = { seconds: tryAgainSeconds };
      return refuse(c, new AppError(refusal, { values, retryAfterSeconds: tryAgainSeconds }));
    }
    arriving.set(network, own);
    all += bytes;
    try {
      return await next();
    } finally {
      all -= bytes;
      const left = (arriving.get(network) ?? 0) - bytes;
      if (left > 0) arriving.set(network, left);
      else arriving.delete(network);
    }
  };
}

/** As the request says; a body in pieces may become as large as most requests may be. */
function bytesIn({ req }: HonoContext): number {
  return req.header('transfer-encoding') === undefined
    ? Number(req.header('content-length') ?? 0)
    : limits.requestBytesMax;
}
