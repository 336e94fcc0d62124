import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { isDatabaseError } from './database-error.ts';
import { neutralParameters } from './neutral-parameters.ts';
import { translatePostgresError } from './postgres-errors.ts';

/** Together with the patience below it stays under the ten seconds in which every request is answered. */
const connectTimeoutMs = 5_000;
/** A statement that takes longer may be long, or its server may be gone without a word: the server is asked again. */
const silenceMs = 4_000;
const answerTimeoutMs = 2_500;
/** A process that is frozen, or cut off with its machine, must not hold rows for longer than it holds a run. */
const idleInTransaction = '20s';
/** Of this process being busy for a moment no one is to conclude that the server is gone. */
const silencesMax = 2;

/** Not at the start: most installations have no PostgreSQL. */
async function loadDriver(): Promise<typeof pg> {
  return (await import('pg')).default;
}

/** Counts and sums come as int8 and numeric; everything this program stores stays below 2^53. */
function typesOf({ types }: typeof pg): pg.CustomTypesConfig {
  const { INT8, NUMERIC } = types.builtins;
  return {
    getTypeParser(oid: number, format?: 'text' | 'binary') {
      const isNumber = oid === INT8 || oid === NUMERIC;
      return isNumber && format !== 'binary' ? Number : types.getTypeParser(oid, format);
    },
  } as pg.CustomTypesConfig;
}

/**
 * Drives one PostgreSQL database with a pool of connections. `beforeAcquire` is called before a connection is handed
 * out and may throw.
 */
export function postgresDialect(url: string, connectionsMax: number, beforeAcquire: () => void): Dialect {
  return new PostgresDialect({
    pool: async () => {
      const driver = await loadDriver();
      const pool = new driver.Pool({
        connectionString: url,
        max: connectionsMax,
        connectionTimeoutMillis: connectTimeoutMs,
        keepAlive: true,
        types: typesOf(driver),
        // Not a startup parameter, which connection poolers refuse. The pool awaits the promise, though its types say void.
        onConnect: (client) =>
          client.query(`set idle_in_transaction_session_timeout = '${idleInTransaction}'`) as unknown as void,
      });
      // A connection that breaks is replaced; without a listener its error event would end the process.
      pool.on('error', () => {});
      pool.on('connect', (client) => void client.on('error', () => {}));
      return translatingPool(
        pool,
        { server: serverOf(url), isThere: askedOnce(() => isAnswering(url)) },
        beforeAcquire,
      );
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

interface Server {
  /** Host, port and database. */
  server: string;
  /** Asks over a connection of its own. */
  isThere(): Promise<boolean>;
}

async function isAnswering(url: string): Promise<boolean> {
  for (let silences = 0; silences < silencesMax; silences += 1) {
    const answer = await askServer(url);
    if (answer !== 'silence') return answer === 'there';
  }
  return false;
}

async function askServer(url: string): Promise<'there' | 'gone' | 'silence'> {
  const { Client, DatabaseError } = await loadDriver();
  const client = new Client({ connectionString: url, connectionTimeoutMillis: answerTimeoutMs });
  client.on('error', () => {});
  try {
    await client.connect();
    return 'there';
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ECONNREFUSED') return 'gone';
    // A server that refuses in its own words, such as for too many connections, is there.
    return error instanceof DatabaseError ? 'there' : 'silence';
  } finally {
    // Not waited for: a server that is gone says no farewell.
    client.end().catch(() => {});
  }
}

/** Those who ask while an answer is in progress get that one. */
function askedOnce(ask: () => Promise<boolean>): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined;
  return () =>
    (asking ??= ask().finally(() => {
      asking = undefined;
    }));
}

function translatingPool(pool: pg.Pool, host: Server, beforeAcquire: () => void): PostgresPool {
  return {
    options: pool.options,
    async connect() {
      beforeAcquire();
      try {
        return translatingClient(await pool.connect(), host);
      } catch (error) {
        throw translatePostgresError(error, host.server);
      }
    },
    end: () => pool.end(),
  };
}

function translatingClient(client: pg.PoolClient, { server, isThere }: Server): PostgresPoolClient {
  let isBroken = false;
  const query = async (sql: string, parameters: readonly unknown[]) => {
    const ask = async () => {
      if (!(await isThere())) cutOff(client);
    };
    const silence = setInterval(() => void ask(), silenceMs);
    try {
      return await client.query(sql, neutralParameters(parameters));
    } catch (error) {
      const translated = translatePostgresError(error, server);
      isBroken ||= isDatabaseError(translated, 'unreachable');
      throw translated;
    } finally {
      clearInterval(silence);
    }
  };
  return {
    // Without a cursor in the dialect's settings, statements are all that is ever asked for.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  };
}

/** Ends a connection whose other side is gone; the statement in progress fails as it does when a connection breaks. */
function cutOff(client: pg.PoolClient): void {
  // A client has its connection in this field; the types leave it out.
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  connection.stream.destroy(Object.assign(new Error('Connection terminated: no answer'), { code: 'ETIMEDOUT' }));
}
