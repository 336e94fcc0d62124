import type { DatabaseConfig } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Bus } from './bus.ts';
import { Listeners } from './listeners.ts';

/** The bus that goes with the database: within this process on SQLite, through the server on PostgreSQL. */
export async function openBus(database: DatabaseConfig, log: Logger): Promise<Bus> {
  switch (database.kind) {
    case 'sqlite':
      return inProcessBus(log);
    case 'postgres':
      return (await import('./postgres-bus.ts')).postgresBus(database.url, log);
  }
}

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
