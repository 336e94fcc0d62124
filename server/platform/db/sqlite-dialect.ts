import { type FileHandle, open } from 'node:fs/promises';
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
import { CheckpointThread } from './checkpoint-thread.ts';
import type { Durability } from './database.ts';
import { DatabaseError, isDatabaseError } from './database-error.ts';
import { neutralParameters } from './neutral-parameters.ts';
import { translateSqliteError } from './sqlite-errors.ts';
import { SqliteFile } from './sqlite-file.ts';

/** How long a write waits for other processes before it fails as `busy`. */
const busyPatienceMs = 20_000;

/** Raw statements that do not change stored data. */
const passing = /^\s*(select|pragma|explain)\b/i;

/**
 * Creates the dialect for one SQLite file, with a handle for reads, which see the last commit and never wait for a
 * writer, and a handle for writes, which are serialized. Disk syncs run outside this thread, after a write releases the
 * handle. `beforeAcquire` is called before a connection is handed out and may throw; `durability` returns the
 * durability of the transaction that begins.
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
  writer: SqliteFile;
  reader: SqliteFile;
  turns: Turns;
  log: LogSync;
  checkpoints: CheckpointThread;
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
    const open = () => patiently(() => new SqliteFile(this.#path));
    const [log, checkpoints] = [new LogSync(this.#path), new CheckpointThread(this.#path)];
    this.#files = { writer: await open(), reader: await open(), turns: new Turns(), log, checkpoints };
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
    await (connection as SqliteConnection).commit();
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
    await files.log.close();
    await files.checkpoints.close();
    files.reader.close();
    files.writer.close();
  }
}

class SqliteConnection implements DatabaseConnection {
  readonly #files: Files;
  /** Set while a transaction is open. */
  #endTurn: (() => void) | undefined;
  /** Durability of the current transaction. */
  #durability: Durability = 'disk';
  #hasFailed = false;

  constructor(files: Files) {
    this.#files = files;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const parameters = neutralParameters(query.parameters);
    if (this.#endTurn) return this.#runInTransaction(query.sql, parameters);
    const { reader, writer, turns } = this.#files;
    if (SelectQueryNode.is(query.query)) return patiently(() => reader.run(query.sql, parameters));
    const endTurn = await turns.take();
    let result: QueryResult<R>;
    try {
      writer.requireName();
      result = await patiently(() => writer.run(query.sql, parameters));
    } finally {
      endTurn();
    }
    if (!passing.test(query.sql)) await this.#untilKept('disk');
    return result;
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new DatabaseError('failed', 'Queries are not streamed. Read in pages, by key.');
  }

  async begin(durability: Durability): Promise<void> {
    const { turns, writer } = this.#files;
    const endTurn = await turns.take();
    try {
      writer.requireName();
      // Immediate, so that the lock is taken or refused here and not in the middle of the transaction.
      await patiently(() => writer.run('begin immediate'));
    } catch (error) {
      endTurn();
      throw error;
    }
    this.#durability = durability;
    this.#endTurn = endTurn;
  }

  /**
   * Resolves once the transaction has its durability. Later transactions proceed before that: they build on this one
   * and are synced after it.
   */
  async commit(): Promise<void> {
    if (this.#hasFailed) throw abortedTransaction();
    this.#files.writer.run('commit');
    this.#finish();
    await this.#untilKept(this.#durability);
  }

  rollback(): void {
    // The disk sync after a commit failed; another transaction may already use the handle.
    if (this.#endTurn === undefined) return;
    const { writer } = this.#files;
    try {
      if (writer.isInTransaction) writer.run('rollback');
    } finally {
      this.#finish();
    }
  }

  async #untilKept(durability: Durability): Promise<void> {
    const { checkpoints, log } = this.#files;
    checkpoints.committed();
    if (durability === 'disk') await log.reached();
  }

  // A failed statement aborts its transaction, as on PostgreSQL, so that both databases behave alike.
  #runInTransaction<R>(sql: string, parameters: unknown[]): QueryResult<R> {
    if (this.#hasFailed) throw abortedTransaction();
    try {
      return this.#files.writer.run(sql, parameters);
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    }
  }

  #finish(): void {
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

/** A mutex that admits callers in order of arrival. */
class Turns {
  #last: Promise<void> = Promise.resolve();

  /** Resolves to the function that releases the mutex. */
  async take(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = this.#last;
    this.#last = promise;
    await before;
    return resolve;
  }
}

/** Retries while another process holds the file's lock, with growing pauses, for up to `busyPatienceMs`. */
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

/**
 * Syncs SQLite's write-ahead log to disk without blocking the committing thread. Concurrent callers share one sync, so
 * that a slow disk occupies only one of the few file threads.
 */
class LogSync {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #running: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  /** The log is the database's file name plus `-wal`; it exists from the first write on. */
  constructor(databaseFile: string) {
    this.#file = databaseFile;
  }

  /** Resolves once all earlier commits would survive a power failure; rejects with DatabaseError. */
  reached(): Promise<void> {
    // The running sync may have started before the commit, so only the next one certainly includes it.
    this.#next ??= this.#syncAfter(this.#running);
    return this.#next;
  }

  async close(): Promise<void> {
    await Promise.allSettled([this.#running, this.#next]);
    await this.#handle?.close();
    this.#handle = undefined;
  }

  async #syncAfter(running: Promise<void>): Promise<void> {
    await running.catch(() => undefined);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#running = promise;
    this.#next = undefined;
    try {
      // Windows requires write access to sync.
      this.#handle ??= await open(`${this.#file}-wal`, 'r+');
      await this.#handle.datasync();
    } catch (cause) {
      throw faultOf(cause, this.#file);
    } finally {
      resolve();
    }
  }
}

function faultOf(cause: unknown, file: string): unknown {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code !== 'ENOSPC' && code !== 'EDQUOT') {
    const sentence = `Changes to the database ${file} could not be written to the disk. Check the disk for damage.`;
    return new DatabaseError('failed', sentence, { cause });
  }
  const full = Object.assign(new Error('disk full', { cause }), { errcode: 13 });
  return translateSqliteError(full, file);
}
