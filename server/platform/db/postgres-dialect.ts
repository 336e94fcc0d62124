import { type Dialect, PostgresDialect, type PostgresPool, type PostgresPoolClient } from 'kysely';
import type pg from 'pg';
import { afterConflicts } from './after-conflicts.ts';
import { isDatabaseError } from './database-error.ts';
import { neutralParameters } from './neutral-parameters.ts';
import { translatePostgresError } from './postgres-errors.ts';

/** With the timeouts below, this stays under the ten seconds in which every request gets a response. */
const connectTimeoutMs = 5_000;
/** A statement that takes longer may be slow, or its server may be unreachable: then the server is checked. */
const silenceMs = 4_000;
const answerTimeoutMs = 2_500;
/** A frozen or disconnected process must not lock rows for longer than it holds a run. */
const idleInTransaction = '20s';
/** Two, so that a moment in which this process is busy does not count as an unreachable server. */
const silencesMax = 2;

/** Loaded lazily: most installations have no PostgreSQL. */
async function loadDriver(): Promise<typeof pg> {
  return (await import('pg')).default;
}

/** Parses int8 and numeric, the types of counts and sums, as numbers; all values of this program stay below 2^53. */
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
 * Creates the dialect for one PostgreSQL database with a connection pool. `beforeAcquire` is called before a connection
 * is handed out and may throw.
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
        // Set by a statement, because connection poolers refuse it as a startup parameter. The pool awaits the promise,
        // though its types say void.
        onConnect: (client) =>
          client.query(`set idle_in_transaction_session_timeout = '${idleInTransaction}'`) as unknown as void,
      });
      // The pool replaces a broken connection; without a listener its error event would end the process.
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

/** Returns the host, port and database of a URL, which may be shown. */
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
  /** Checks the server over a separate connection. */
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
    // A server that refuses with an error message, such as for too many connections, is reachable.
    return error instanceof DatabaseError ? 'there' : 'silence';
  } finally {
    // Not awaited: an unreachable server never confirms the end.
    client.end().catch(() => {});
  }
}

/** Shares one check between concurrent callers. */
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
  let isInTransaction = false;
  const attempt = async (sql: string, parameters: readonly unknown[]) => {
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
  /** A statement that commits on its own is repeated here; `transaction` repeats the others. */
  const query = (sql: string, parameters: readonly unknown[]) => {
    const isAlone = !isInTransaction && sql !== 'begin';
    if (!isAlone) isInTransaction = sql !== 'commit' && sql !== 'rollback';
    return isAlone ? afterConflicts(() => attempt(sql, parameters)) : attempt(sql, parameters);
  };
  return {
    // The dialect is configured without cursors, so only statements are passed.
    query: query as unknown as PostgresPoolClient['query'],
    release: (destroy) => client.release(destroy || isBroken),
  };
}

/** Closes a connection to an unreachable server; the running statement fails as with any broken connection. */
function cutOff(client: pg.PoolClient): void {
  // The client's connection, which its types omit.
  const { connection } = client as unknown as { connection: { stream: { destroy(error: Error): void } } };
  connection.stream.destroy(Object.assign(new Error('Connection terminated: no answer'), { code: 'ETIMEDOUT' }));
}
