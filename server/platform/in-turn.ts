import { setImmediate } from 'node:timers/promises';

const turnMs = 10;

/** Yields the items; after every `turnMs` of work it lets other tasks of the event loop run. */
export async function* inTurn<T>(all: Iterable<T>): AsyncGenerator<T> {
  let since = performance.now();
  for (const one of all) {
    yield one;
    if (performance.now() - since < turnMs) continue;
    await setImmediate();
    since = performance.now();
  }
}
