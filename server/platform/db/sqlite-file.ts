import { statSync } from 'node:fs';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';
import { DatabaseError } from './database-error.ts';
import { translateSqliteError } from './sqlite-errors.ts';

// Statements differ only by their text (values are bound), so this is many times the queries of a feature.
const cachedStatementsMax = 500;
// Waiting inside SQLite blocks the whole process; longer waits happen between attempts, without blocking.
const lockWaitMs = 50;
// 40 MB: far more than the checkpoint thread lets the log grow.
const logPagesMax = 10_000;

/** One open handle on a SQLite file, with write-ahead log, foreign keys and cached statements. */
export class SqliteFile {
  readonly path: string;
  readonly #handle: DatabaseSync;
  readonly #inode: bigint | undefined;
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();

  /**
   * Opens or creates the file; its folder must exist. Commits do not wait for the disk: `LogSync` syncs the log.
   * Deleted data is overwritten, so that an erased account is gone from the file.
   */
  constructor(path: string) {
    this.path = path;
    try {
      this.#handle = new DatabaseSync(path, { timeout: lockWaitMs, enableForeignKeyConstraints: true });
    } catch (error) {
      throw translateSqliteError(error, path);
    }
    try {
      this.#handle.exec(
        `pragma journal_mode = wal; pragma secure_delete = on; pragma synchronous = normal; pragma wal_autocheckpoint = ${logPagesMax};`,
      );
    } catch (error) {
      this.#handle.close();
      throw translateSqliteError(error, path);
    }
    this.#inode = inodeOf(path);
  }

  /** Throws DatabaseError if the file was moved, removed or replaced: writes would be lost when the process ends. */
  requireName(): void {
    if (inodeOf(this.path) === this.#inode) return;
    throw new DatabaseError(
      'cannot-open',
      `The database ${this.path} was moved, removed or replaced while it was open, so nothing is written. Put it back, or restart.`,
    );
  }

  /** Returns false if SQLite itself rolled back a transaction, for example because the disk is full. */
  get isInTransaction(): boolean {
    return this.#handle.isTransaction;
  }

  /** Runs one statement to completion. */
  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    try {
      const { statement, returnsRows } = this.#prepare(sql);
      // The driver rejects values of any other type.
      const values = parameters as SQLInputValue[];
      if (!returnsRows) return { rows: [], numAffectedRows: BigInt(statement.run(...values).changes) };
      const rows = statement.all(...values) as R[];
      return { rows, numAffectedRows: BigInt(rows.length) };
    } catch (error) {
      throw translateSqliteError(error, this.path);
    }
  }

  close(): void {
    this.#statements.clear();
    if (this.#handle.isOpen) this.#handle.close();
  }

  #prepare(sql: string): { statement: StatementSync; returnsRows: boolean } {
    const known = this.#statements.get(sql);
    if (known) {
      // Reinserted at the end: the map's order is the order of use.
      this.#statements.delete(sql);
      this.#statements.set(sql, known);
      return known;
    }
    const statement = this.#handle.prepare(sql);
    const prepared = { statement, returnsRows: statement.columns().length > 0 };
    this.#statements.set(sql, prepared);
    const oldest = this.#statements.size > cachedStatementsMax ? this.#statements.keys().next() : undefined;
    if (oldest && !oldest.done) this.#statements.delete(oldest.value);
    return prepared;
  }
}

function inodeOf(path: string): bigint | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })?.ino;
}

/** Copies all pages in one step: between several steps, each write would restart the copy. */
const allPages = 2 ** 31 - 1;
/** How long a copy waits for a writer with an exclusive lock. */
const copyWaitMs = 20_000;

/** Copies a consistent snapshot of a SQLite database during writes. Throws DatabaseError. */
export async function copySqliteFile(from: string, to: string): Promise<void> {
  let source: DatabaseSync | undefined;
  try {
    source = new DatabaseSync(from, { timeout: copyWaitMs });
    await backup(source, to, { rate: allPages });
  } catch (error) {
    throw translateSqliteError(error, from);
  } finally {
    source?.close();
  }
}
