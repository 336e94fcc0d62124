import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Queries, Transaction } from './database.ts';
import { DatabaseError } from './database-error.ts';
import type { Migration } from './migrations.ts';

// An arbitrary number that nothing else in the database locks.
const advisoryLockId = 7_331_001;
const oldestPostgres = 15;

/**
 * Applies the missing migrations, each in its own transaction. Safe when several processes start at once: one works,
 * the others wait. Refuses a database that a newer program has changed, or whose migration history was edited. Calls
 * `first` in the transaction that creates the first tables of a new database.
 */
export async function migrate(
  database: Database,
  migrations: Migration[],
  first?: (tx: Transaction) => Promise<void>,
): Promise<void> {
  if (database.kind === 'postgres') await requirePostgres(database.query);
  if (await isUpToDate(database, migrations)) return;
  let isDone = false;
  while (!isDone) {
    isDone = await inLockedTransaction(database, async (tx) => {
      await execute(tx, sql.raw(toDialect(historyTable, database.kind)));
      const history = await readHistoryRows(tx);
      const missing = firstMissing(history, migrations);
      if (!missing) return true;
      for (const statement of missing.statements) await execute(tx, sql.raw(toDialect(statement, database.kind)));
      if (history.length === 0) await first?.(tx);
      await execute(
        tx,
        sql`insert into schema_migrations (name, checksum, applied_at)
            values (${missing.name}, ${checksumOf(missing)}, ${Date.now()})`,
      );
      return false;
    });
  }
}

/** Returns true if exactly these migrations have been applied; changes nothing. Throws as `migrate` does. */
export async function isUpToDate(database: Database, migrations: Migration[]): Promise<boolean> {
  return firstMissing(await readHistory(database), migrations) === undefined;
}

/** Returns true if no migration has been applied; changes nothing. */
export async function isNew(database: Database): Promise<boolean> {
  return (await readHistory(database)).length === 0;
}

const historyTable = `create table if not exists schema_migrations (
  name text primary key, checksum text not null, applied_at integer not null
)`;

interface HistoryRow {
  name: string;
  checksum: string;
}

/** Makes text compare byte by byte and numbers hold 64 bits on both databases; makes SQLite enforce the types. */
export function toDialect(statement: string, kind: Database['kind']): string {
  if (!/^\s*(create|alter) table/i.test(statement)) return statement;
  if (kind === 'sqlite') return /^\s*create/i.test(statement) ? `${statement} strict` : statement;
  return statement.replace(/\btext\b/g, 'text collate "C"').replace(/\binteger\b/g, 'bigint');
}

function firstMissing(history: HistoryRow[], migrations: Migration[]): Migration | undefined {
  const known = new Map(migrations.map((migration) => [migration.name, migration]));
  for (const row of history) {
    const migration = known.get(row.name);
    if (!migration) {
      throw new DatabaseError(
        'newer-database',
        `A newer version of this program has changed the database (${row.name}). Start that version, or restore a backup.`,
      );
    }
    if (checksumOf(migration) !== row.checksum) {
      throw new DatabaseError(
        'migration-changed',
        `The database was built by another edition of ${row.name}. Start the version that built it, or use a new data folder.`,
      );
    }
  }
  const applied = new Set(history.map((row) => row.name));
  return migrations.find((migration) => !applied.has(migration.name));
}

function checksumOf(migration: Migration): string {
  return createHash('sha256').update(migration.statements.join(';\n')).digest('hex');
}

async function readHistory(database: Database): Promise<HistoryRow[]> {
  const table =
    database.kind === 'sqlite'
      ? sql<{ name: string }>`select name from sqlite_schema where type = 'table' and name = 'schema_migrations'`
      : sql<{ name: string }>`select c.relname as name from pg_class c where c.oid = to_regclass('schema_migrations')`;
  const { rows } = await table.execute(database.query);
  return rows.length === 0 ? [] : readHistoryRows(database.query);
}

async function readHistoryRows(queries: Queries): Promise<HistoryRow[]> {
  const { rows } = await sql<HistoryRow>`select name, checksum from schema_migrations order by name`.execute(queries);
  return rows;
}

/** On SQLite the write lock suffices; on PostgreSQL two programs could both create the same table. */
function inLockedTransaction<T>(database: Database, body: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.transaction(async (tx) => {
    if (database.kind === 'postgres') await execute(tx, sql`select pg_advisory_xact_lock(${sql.lit(advisoryLockId)})`);
    return body(tx);
  });
}

async function execute(queries: Queries, statement: RawBuilder<unknown>): Promise<void> {
  await statement.execute(queries);
}

async function requirePostgres(queries: Queries): Promise<void> {
  const { rows } = await sql<{
    version: string;
    encoding: string;
  }>`select current_setting('server_version_num') as version, current_setting('server_encoding') as encoding`.execute(
    queries,
  );
  const major = Math.floor(Number(rows[0]?.version) / 10_000);
  if (major < oldestPostgres) {
    throw new DatabaseError(
      'too-old',
      `The database server is PostgreSQL ${major}; ${oldestPostgres} or newer is needed. Upgrade it, or leave DATABASE_URL empty.`,
    );
  }
  if (rows[0]?.encoding !== 'UTF8') {
    throw new DatabaseError(
      'too-old',
      `The database stores text as ${rows[0]?.encoding}. Create it with encoding UTF8 and try again.`,
    );
  }
}
