import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Where rows are stored: in one file, or in one PostgreSQL database (15 or newer). */
export type DatabaseConfig =
  | { kind: 'sqlite'; file: string }
  | { kind: 'postgres'; url: string; connectionsMax?: number };

/**
 * Builds and runs single statements. Store functions take this type, so that they work inside and outside a
 * transaction. Raw SQL (`sql`…`.execute(queries)`) names tables and columns in snake_case.
 */
export type Queries = Pick<
  Kysely<Schema>,
  | 'selectFrom'
  | 'selectNoFrom'
  | 'insertInto'
  | 'updateTable'
  | 'deleteFrom'
  | 'with'
  | 'fn'
  | 'case'
  | 'dynamic'
  | 'getExecutor'
  | 'executeQuery'
>;

/** The statements of one open transaction; required by functions that are only correct inside one. */
export interface Transaction extends Queries {
  readonly isTransaction: true;
  /** Publishes on the bus after the transaction has committed; never after a rollback. */
  publish(topic: string, payload: string): void;
}

/**
 * The failure a commit must survive: a power failure (`disk`), or the end of this process (`process`), which does not
 * wait for the disk. A power failure can lose the newest `process` commits, but never one from the middle.
 */
export type Durability = 'disk' | 'process';

export interface Database {
  readonly kind: DatabaseConfig['kind'];
  /** Statements that each commit on their own. Refused inside a transaction: pass the transaction on. */
  readonly query: Queries;
  /**
   * Runs `body` in one transaction and commits when it returns. After a conflict with other writers `body` runs again,
   * so it must do nothing but run statements. SQLite has one writer at a time; PostgreSQL transactions are
   * read-committed: decide by conditional updates and their row counts. Cannot be nested. Survives a power failure by
   * default.
   */
  transaction<T>(body: (tx: Transaction) => Promise<T>, options?: { durability?: Durability }): Promise<T>;
  /** Publishes on the bus immediately. Refused inside a transaction: publish through the transaction. */
  publish(topic: string, payload: string): void;
  /**
   * Returns an id that differs between this database and its copies: a copy is another file, or another PostgreSQL
   * database or cluster.
   */
  place(): Promise<string>;
  /** Waits for a running write, then closes all handles. */
  close(): Promise<void>;
}
