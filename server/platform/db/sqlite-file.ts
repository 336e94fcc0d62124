import { statSync } from 'node:fs';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import type { QueryResult } from 'kysely';
import { DatabaseError } from './database-error.ts';
import { translateSqliteError } from './sqlite-errors.ts';

// Statements differ by their text only (values are bound), so a feature's queries fit many times over.
const cachedStatementsMax = 500;
// The wait inside SQLite stops the whole process; longer waits are made between attempts, where it can go on.
const lockWaitMs = 50;
// 40 MB: much more than the thread that does so leaves.
const logPagesMax = 10_000;

/** One open handle on a SQLite file: write-ahead log, foreign keys on, statements kept. */
export class SqliteFile {
  readonly path: string;
  readonly #handle: DatabaseSync;
  readonly #inode: bigint | undefined;
  readonly #statements = new Map<string, { statement: StatementSync; returnsRows: boolean }>();

  /**
   * Creates the file when it is not there; its folder must be. A commit does not wait for the disk: the log is synced by
   * others. What is deleted is overwritten: who erases an account wants it gone from the file.
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

  /** Throws DatabaseError if the file was moved, removed or replaced: writes to it would be lost when the process ends. */
  requireName(): void {
    if (inodeOf(this.path) === this.#inode) return;
    throw new DatabaseError(
      'cannot-open',
      `The database ${this.path} was moved, removed or replaced while it was open, so nothing is written. Put it back, or restart.`,
    );
  }

  /** False again when SQLite itself gave up a transaction, for example because the disk is full. */
  get isInTransaction(): boolean {
    return this.#handle.isTransaction;
  }

  /** Runs one statement to its end. */
  run<R>(sql: string, parameters: readonly unknown[] = []): QueryResult<R> {
    try {
      const { statement, returnsRows } = this.#prepare(sql);
      // The driver refuses values of any other type itself.
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
      // Moved to the end: the map's order is the order of use.
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

/** More pages than a file has: in several steps each write meanwhile would begin the copy again. */
const allPages = 2 ** 31 - 1;
/** How long a copy waits for a writer that has the file for itself. */
const copyWaitMs = 20_000;

/** Copies a SQLite database as of one moment, while others write to it. Throws DatabaseError. */
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
