import type { Logger } from '../log.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

/** Reaches the listeners of this process only, soon after the caller is done. */
export function inProcessBus(log: Logger): Bus {
  const listeners = new Listeners(log);
  let isClosed = false;
  return {
    publish(topic, payload) {
      if (!isClosed) queueMicrotask(() => listeners.deliver(topic, payload));
    },
    subscribe: (topic, listener) => listeners.add(topic, listener),
    onGap: (listener) => listeners.addForGap(listener),
    async close() {
      isClosed = true;
    },
  };
}
