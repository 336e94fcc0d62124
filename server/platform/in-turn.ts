import { setImmediate } from 'node:timers/promises';

const turnMs = 10;

/** Gives each of them; whenever that has gone on for a while, others have their turn before the next. */
export async function* inTurn<T>(all: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const one of all) {
    yield one;
    if (performance.now() - since < turnMs) continue;
    await setImmediate();
    since = performance.now();
  }
}
