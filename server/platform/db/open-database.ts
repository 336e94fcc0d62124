import { AsyncLocalStorage } from 'node:async_hooks';
import { stat } from 'node:fs/promises';
import {
  CamelCasePlugin,
  HandleEmptyInListsPlugin,
  isAbortedTransactionError,
  Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely';
import { beforeWrite, type FailPoint } from '../fail-point.ts';
import { afterConflicts } from './after-conflicts.ts';
import type { Database, DatabaseConfig, Durability } from './database.ts';
import { DatabaseError } from './database-error.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations.ts';
import { requireNoMoveMark } from './move-mark.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

const connectionsMaxDefault = 10;

/** Receives messages published through the database, after the commit of the changes they report. */
export type Publish = (topic: string, payload: string) => void;

/**
 * Opens the database and migrates its tables; creates the SQLite file (its folder must exist). Throws DatabaseError.
 */
export async function openDatabase(
  config: DatabaseConfig,
  publish?: Publish,
  failPoint?: FailPoint,
): Promise<Database> {
  const database = connectDatabase(config, publish, failPoint);
  try {
    await migrate(database, migrations);
    await requireNoMoveMark(database.query);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** Opens the database without migrating its tables. */
export function connectDatabase(
  config: DatabaseConfig,
  publish: Publish = () => undefined,
  failPoint?: FailPoint,
): Database {
  // Set in everything that the body of a running transaction calls.
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();
  // Durability of a transaction that is about to begin: the driver issues its first statement.
  const beginning = new AsyncLocalStorage<Durability>();
  const isInsideTransaction = () => transactions.getStore()?.isOpen === true;
  const refuseInsideTransaction = () => {
    if (isInsideTransaction()) {
      throw new DatabaseError(
        'outside-transaction',
        'A statement inside a transaction used the database itself. Pass the transaction to it.',
      );
    }
  };
  const dialect =
    config.kind === 'sqlite'
      ? sqliteDialect(config.file, refuseInsideTransaction, () => beginning.getStore() ?? 'disk')
      : postgresDialect(config.url, config.connectionsMax ?? connectionsMaxDefault, refuseInsideTransaction);
  const kysely = new Kysely<Schema>({ dialect, plugins: pluginsOf(config.kind) });

  return {
    kind: config.kind,
    query: failPoint === undefined ? kysely : failPointQueries(kysely, failPoint),
    async transaction(body, { durability = 'disk' } = {}) {
      if (isInsideTransaction()) {
        throw new DatabaseError(
          'transaction-nested',
          'A transaction was started inside another. Pass the open transaction on instead.',
        );
      }
      return withRetries(async () => {
        const state = { isOpen: true };
        const news: Parameters<Publish>[] = [];
        const keep = { publish: (...message: Parameters<Publish>) => void news.push(message) };
        try {
          const result = await beginning.run(durability, () =>
            kysely.transaction().execute(async (tx) => {
              const isLight = durability === 'process' && config.kind === 'postgres';
              if (isLight) await sql`set local synchronous_commit = off`.execute(tx);
              const done = await transactions.run(state, () => body(Object.assign(tx, keep)));
              beforeWrite(failPoint);
              return done;
            }),
          );
          for (const message of news) publish(...message);
          return result;
        } finally {
          state.isOpen = false;
        }
      });
    },
    publish(topic, payload) {
      refuseInsideTransaction();
      publish(topic, payload);
    },
    place: () => (config.kind === 'sqlite' ? placeOfFile(config.file) : placeOfPostgres(kysely)),
    close: () => kysely.destroy(),
  };
}

/** SQLite accepts an empty list after `in`, PostgreSQL does not. */
function pluginsOf(kind: Database['kind']): KyselyPlugin[] {
  const emptyLists = new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression });
  return [new CamelCasePlugin(), ...(kind === 'postgres' ? [emptyLists] : [])];
}

async function placeOfFile(file: string): Promise<string> {
  return `file ${(await stat(file, { bigint: true })).ino}`;
}

async function placeOfPostgres(queries: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ cluster: string; oid: number }>`
    select system_identifier::text as cluster, oid::int8 as oid
    from pg_control_system(), pg_database where datname = current_database()`.execute(queries);
  return `postgres ${rows[0]?.cluster} ${rows[0]?.oid}`;
}

function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  return afterConflicts(() =>
    attempt().catch((error: unknown) => {
      if (!isAbortedTransactionError(error)) throw error;
      const message = 'The transaction was rolled back: one of its statements failed.';
      throw new DatabaseError('transaction-aborted', message, { cause: error });
    }),
  );
}

const reading = /^\s*(select|pragma|explain)\b/i;

/** Adds a point of failure before each statement that writes and commits on its own. */
function failPointQueries(queries: Kysely<Schema>, failPoint: FailPoint): Kysely<Schema> {
  const watch: KyselyPlugin = {
    transformQuery(args) {
      if (isWrite(args.node)) beforeWrite(failPoint);
      return args.node;
    },
    transformResult: async ({ result }) => result,
  };
  return queries.withPlugin(watch);
}

function isWrite(node: PluginTransformQueryArgs['node']): boolean {
  if (node.kind === 'SelectQueryNode') return false;
  return node.kind !== 'RawNode' || !reading.test(node.sqlFragments[0] ?? '');
}
