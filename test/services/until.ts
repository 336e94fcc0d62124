import { setTimeout as delay } from 'node:timers/promises';

const pauseMs = { least: 10, most: 100 };

/**
 * Calls `ask` until its result is truthy; fails after `limitMs`. Pauses grow to a tenth of the wait, because each call
 * is work for the processes that the test waits for.
 */
export async function until<T>(what: string, ask: () => T | Promise<T>, limitMs = 20_000): Promise<NonNullable<T>> {
  const begun = performance.now();
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    const waitedMs = performance.now() - begun;
    if (waitedMs > limitMs) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await delay(Math.min(pauseMs.most, Math.max(pauseMs.least, waitedMs / 10)));
  }
}
