import { setTimeout as delay } from 'node:timers/promises';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type DialectAdapter,
  type Driver,
  type QueryResult,
  SelectQueryNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import type { Durability } from './database.ts';
import { DatabaseError, isDatabaseError } from './database-error.ts';
import { neutralParameters } from './neutral-parameters.ts';
import { SqliteFile } from './sqlite-file.ts';

/** How long a write waits for other processes before it is refused as `busy`. */
const busyPatienceMs = 20_000;

/**
 * Drives one SQLite file with a handle for reads, which see the last commit and never wait for a writer, and one for
 * writes of each durability, which take turns. `beforeAcquire` is called before a connection is handed out and may throw;
 * `durability` answers what the transaction that begins has to outlive.
 */
export function sqliteDialect(path: string, beforeAcquire: () => void, durability: () => Durability): Dialect {
  return {
    createDriver: () => new SqliteDriver(path, beforeAcquire, durability),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createAdapter: () => new TwoHandleAdapter(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

class TwoHandleAdapter extends SqliteAdapter implements DialectAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

interface Files {
  writers: Record<Durability, SqliteFile>;
  reader: SqliteFile;
  turns: Turns;
}

class SqliteDriver implements Driver {
  readonly #path: string;
  readonly #beforeAcquire: () => void;
  readonly #durability: () => Durability;
  #files: Files | undefined;

  constructor(path: string, beforeAcquire: () => void, durability: () => Durability) {
    this.#path = path;
    this.#beforeAcquire = beforeAcquire;
    this.#durability = durability;
  }

  async init(): Promise<void> {
    const open = (durability: Durability) => patiently(() => new SqliteFile(this.#path, durability));
    const writers = { disk: await open('disk'), process: await open('process') };
    this.#files = { writers, reader: await open('disk'), turns: new Turns() };
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    this.#beforeAcquire();
    if (!this.#files) throw new Error('the database is closed');
    return new SqliteConnection(this.#files);
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await (connection as SqliteConnection).begin(this.#durability());
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    (connection as SqliteConnection).commit();
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    (connection as SqliteConnection).rollback();
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    const files = this.#files;
    this.#files = undefined;
    if (!files) return;
    await files.turns.take();
    files.reader.close();
    for (const writer of Object.values(files.writers)) writer.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #files: Files;
  /** That of the transaction, while there is one. */
  #writer: SqliteFile;
  #endTurn: (() => void) | undefined;
  #hasFailed = false;

  constructor(files: Files) {
    this.#files = files;
    this.#writer = files.writers.disk;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = neutralParameters(query.parameters);
    if (this.#endTurn) return this.#runInTransaction(query.sql, parameters);
    if (SelectQueryNode.is(query.query)) return patiently(() => this.#files.reader.run(query.sql, parameters));
    const endTurn = await this.#files.turns.take();
    try {
      return await patiently(() => this.#writer.run(query.sql, parameters));
    } finally {
      endTurn();
    }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new DatabaseError('failed', 'Queries are not streamed. Read in pages, by key.');
  }

  async begin(durability: Durability): Promise<void> {
    const endTurn = await this.#files.turns.take();
    this.#writer = this.#files.writers[durability];
    try {
      // Immediate: the lock that could be refused is taken here, never in the middle.
      await patiently(() => this.#writer.run('begin immediate'));
    } catch (error) {
      endTurn();
      throw error;
    }
    this.#endTurn = endTurn;
  }

  commit(): void {
    if (this.#hasFailed) throw abortedTransaction();
    this.#writer.run('commit');
    this.#finish();
  }

  rollback(): void {
    try {
      if (this.#writer.isInTransaction) this.#writer.run('rollback');
    } finally {
      this.#finish();
    }
  }

  // As on PostgreSQL, a statement that failed spoils its transaction: going on would behave differently there.
  #runInTransaction<R>(sql: string, parameters: unknown[]): QueryResult<R> {
    if (this.#hasFailed) throw abortedTransaction();
    try {
      return this.#writer.run(sql, parameters);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  #finish(): void {
    this.#writer = this.#files.writers.disk;
    this.#endTurn?.();
    this.#endTurn = undefined;
  }
}

function abortedTransaction(): DatabaseError {
  return new DatabaseError(
    'transaction-aborted',
    'A statement of this transaction failed, so it can only be rolled back. Let the error pass out of the transaction.',
  );
}

/** Lets one holder at a time pass, in the order they came. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves to the function that ends the turn. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}

/** Tries again while another process holds the file's lock, with growing pauses, up to `busyPatienceMs`. */
async function patiently<T>(attempt: () => T): Promise<T> {
  const deadline = performance.now() + busyPatienceMs;
  for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 100)) {
    try {
      return attempt();
    } catch (error) {
      if (!isDatabaseError(error, 'busy') || performance.now() > deadline) throw error;
    }
    await delay(pauseMs * (0.5 + Math.random()));
  }
}
