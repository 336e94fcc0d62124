import { setTimeout as delay } from 'node:timers/promises';
import type { MiddlewareHandler } from 'hono';

/**
 * A refusal is held back for as long, so that those who ask again at once do not take the time of those who are served.
 * So many at most: a held one takes memory.
 */
const heldMs = 400;
const heldMax = 1_000;

/**
 * Holds back each answer that says when to come again: to those who ask too often, and those for whom there is no room now.
 * It waits in real time, also where tests set the clock.
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
