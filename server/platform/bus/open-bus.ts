import type { DatabaseConfig } from '../db/database.ts';
import type { Logger } from '../log.ts';
import type { Bus } from './bus.ts';
import { inProcessBus } from './in-process-bus.ts';

/** The bus that goes with the database: within this process on SQLite, through the server on PostgreSQL. */
export async function openBus(database: DatabaseConfig, log: Logger): Promise<Bus> {
  switch (database.kind) {
    case 'sqlite':
      return inProcessBus(log);
    case 'postgres':
      return (await import('./postgres-bus.ts')).postgresBus(database.url, log);
  }
}
