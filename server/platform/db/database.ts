import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';

/** Where the rows are kept: one file, or one PostgreSQL database (15 or newer). */
export type DatabaseConfig =
  | { kind: 'sqlite'; file: string }
  | { kind: 'postgres'; url: string; connectionsMax?: number };

/**
 * Builds and runs single statements. Store functions take this, so that they work inside and outside a transaction.
 * Raw SQL (`sql`…`.execute(queries)`) names tables and columns in snake_case.
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

/** The statements of one open transaction; a function that is only right inside one asks for this. */
export interface Transaction extends Queries {
  readonly isTransaction: true;
  /** Publishes on the bus once the transaction has committed, and never when it has not. */
  publish(topic: string, payload: string): void;
}

/**
 * What a commit has to outlive: a loss of power (`disk`), or the end of this process (`process`), which does not wait for
 * the disk. What a power cut takes of the latter is the end of the history, never its middle.
 */
export type Durability = 'disk' | 'process';

export interface Database {
  readonly kind: DatabaseConfig['kind'];
  /** Statements that each commit by themselves. Refused inside a transaction: pass the transaction on. */
  readonly query: Queries;
  /**
   * Runs `body` in one transaction and commits when it returns. On a conflict with other writers all of it runs again,
   * so it must do nothing but statements. Writers are one at a time on SQLite; on PostgreSQL they are read-committed:
   * decide by conditional updates and their row counts. Cannot be nested. Outlives a loss of power unless less is asked for.
   */
  transaction<T>(body: (tx: Transaction) => Promise<T>, options?: { durability?: Durability }): Promise<T>;
  /** Publishes on the bus at once. Refused inside a transaction: publish through the transaction. */
  publish(topic: string, payload: string): void;
  /** Tells this database from its copies: a copy is another file, or another database or cluster of PostgreSQL. */
  place(): Promise<string>;
  /** Waits for a running write, then closes every handle. */
  close(): Promise<void>;
}
