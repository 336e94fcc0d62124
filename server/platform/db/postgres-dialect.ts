import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import pg from 'pg';
import { isDatabaseError } from './database-error.ts';
import { neutralParameters } from './neutral-parameters.ts';
import { translatePostgresError } from './postgres-errors.ts';

const connectTimeoutMs = 10_000;
const { builtins } = pg.types;

// Counts and sums come as int8 and numeric; everything this program stores stays below 2^53.
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    const isNumber = oid === builtins.INT8 || oid === builtins.NUMERIC;
    return isNumber && format !== 'binary' ? Number : pg.types.getTypeParser(oid, format);
  },
} as pg.CustomTypesConfig;

/**
 * Drives one PostgreSQL database with a pool of connections. `beforeAcquire` is called before a connection is handed
 * out and may throw.
 */
export function postgresDialect(url: string, connectionsMax: number, beforeAcquire: () => void): Dialect {
  return new PostgresDialect({
    pool: async () => {
      const pool = new pg.Pool({
        connectionString: url,
        max: connectionsMax,
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        types,
      });
      // A connection that breaks is replaced; without a listener its error event would end the process.
      pool.on('error', () => {});
      pool.on('connect', (client) => void client.on('error', () => {}));
      return translatingPool(pool, serverOf(url), beforeAcquire);
    },
  });
}

/** Host, port and database of an address: what may be shown. */
export function serverOf(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host || 'localhost'}${pathname}`;
  } catch {
    return 'of DATABASE_URL';
  }
}

function translatingPool(pool: pg.Pool, server: string, beforeAcquire: () => void): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      beforeAcquire();
      try {
        return translatingClient(await pool.connect(), server);
      } catch (error) {
        throw translatePostgresError(error, server);
      }
    },
    end: () => pool.end(),
  };
}

function translatingClient(client: pg.PoolClient, server: string): PostgresPoolClient {
  let isBroken = false;
  const query = async (sql: string, parameters: readonly unknown[]) => {
    try {
      return await client.query(sql, neutralParameters(parameters));
    } catch (error) {
      const translated = translatePostgresError(error, server);
      isBroken ||= isDatabaseError(translated, 'unreachable');
      throw translated;
    }
  };
  return {
    // Without a cursor in the dialect's settings, statements are all that is ever asked for.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  };
}
