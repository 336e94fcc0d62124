import { AsyncLocalStorage } from 'node:async_hooks';
import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import {
  CamelCasePlugin,
  isAbortedTransactionError,
  Kysely,
  type KyselyPlugin,
  type PluginTransformQueryArgs,
  sql,
} from 'kysely';
import { beforeWrite, type FailPoint } from '../fail-point.ts';
import type { Database, DatabaseConfig, Durability } from './database.ts';
import { DatabaseError, isDatabaseError } from './database-error.ts';
import { migrate } from './migrate.ts';
import { migrations } from './migrations/all.ts';
import { requireNoMoveMark } from './move-mark.ts';
import { postgresDialect } from './postgres-dialect.ts';
import type { Schema } from './schema.ts';
import { sqliteDialect } from './sqlite-dialect.ts';

const transactionAttemptsMax = 8;
const connectionsMaxDefault = 10;

/** Takes what is published through the database; called after the commit of what it reports. */
export type Publish = (topic: string, payload: string) => void;

/** Opens the database and brings its tables up to date; creates the SQLite file (its folder must exist). Throws DatabaseError. */
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

/** Opens the database as it is, without touching its tables. */
export function connectDatabase(
  config: DatabaseConfig,
  publish: Publish = () => undefined,
  failPoint?: FailPoint,
): Database {
  // Known while the body of a transaction runs, in everything it calls.
  const transactions = new AsyncLocalStorage<{ isOpen: boolean }>();
  // Of the transaction that is about to begin: its first statement is the driver's own.
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
  const kysely = new Kysely<Schema>({ dialect, plugins: [new CamelCasePlugin()] });

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

async function placeOfFile(file: string): Promise<string> {
  return `file ${(await stat(file, { bigint: true })).ino}`;
}

async function placeOfPostgres(queries: Kysely<Schema>): Promise<string> {
  const { rows } = await sql<{ cluster: string; oid: number }>`
    select system_identifier::text as cluster, oid::int8 as oid
    from pg_control_system(), pg_database where datname = current_database()`.execute(queries);
  return `postgres ${rows[0]?.cluster} ${rows[0]?.oid}`;
}

async function withRetries<T>(attempt: () => Promise<T>): Promise<T> {
  for (let attempts = 1; ; attempts++) {
    try {
      return await attempt();
    } catch (error) {
      if (isAbortedTransactionError(error)) {
        throw new DatabaseError(
          'transaction-aborted',
          'The transaction was rolled back: one of its statements failed.',
          {
            cause: error,
          },
        );
      }
      if (!isDatabaseError(error, 'conflict') || attempts >= transactionAttemptsMax) throw error;
    }
    await delay(2 ** attempts * (1 + Math.random()));
  }
}

const reading = /^\s*(select|pragma|explain)\b/i;

/** The same statements, with a place to fail before each that changes something and commits by itself. */
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
