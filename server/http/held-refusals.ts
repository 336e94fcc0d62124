import { setTimeout as delay } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';

/**
 * Delay of a refusal, so that clients that retry at once do not slow down served requests. At most `heldMax` are
 * delayed, because each takes memory.
 */
const heldMs = 400;
const heldMax = 1_000;

/**
 * Delays each response with a retry time: for callers over their rate limit and when the server is too busy. Waits in
 * real time, even where tests set the clock.
 */
export function heldRefusals(sleep: (ms: number) => Promise<void> = delay): MiddlewareHandler {
  let held = 0;
  return async (c, next) => {
    await next();
    if (!c.res.headers.has('retry-after') || held >= heldMax) return;
    held += 1;
    await sleep(heldMs).finally(() => {
      held -= 1;
    });
  };
}
