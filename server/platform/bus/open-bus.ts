import type { DatabaseConfig } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

/** Opens the bus for a database: within this process for SQLite, through the server for PostgreSQL. */
export async function openBus(database: DatabaseConfig, log: Logger): Promise<Bus> {
  switch (database.kind) {
    case 'sqlite':
      return inProcessBus(log);
    case 'postgres':
      return (await import('./postgres-bus.ts')).postgresBus(database.url, log);
  }
}

/** Creates a bus for the listeners of this process only; they run soon after the caller returns. */
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
