import { setTimeout as delay } from 'node:timers/promises';

/** Asks again and again until the answer is truthy; fails after `limitMs`. */
export async function until<T>(what: string, ask: () => T | Promise<T>, limitMs = 20_000): Promise<NonNullable<T>> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    if (performance.now() > deadline) throw new Error(`waited ${limitMs} ms in vain until ${what}`);
    await delay(10);
  }
}
