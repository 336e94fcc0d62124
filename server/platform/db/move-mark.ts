import { sql } from 'kysely';
import { copyTable, type TableSum } from './copy-rows.ts';
import type { Database, Queries, Transaction } from './database.ts';
import { DatabaseError } from './database-error.ts';
import type { TableShape } from './tables-of.ts';

/** A row of `settings` that exists while an installation is being moved into the database. */
const markName = 'move-under-way';

export async function hasMoveMark(queries: Queries): Promise<boolean> {
  return (await readMoveMark(queries)) !== undefined;
}

/** Returns the file destination of an unfinished move, empty until it has been checked; undefined without a move. */
export async function readMoveMark(queries: Queries): Promise<string | undefined> {
  const row = await queries.selectFrom('settings').select('value').where('name', '=', markName).executeTakeFirst();
  return row?.value;
}

export async function putMoveMark(tx: Transaction, place: string): Promise<void> {
  await tx
    .insertInto('settings')
    .values({ name: markName, value: place })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: place }))
    .execute();
}

/** Throws DatabaseError `move-unfinished` if a move into this database has not finished. */
export async function requireNoMoveMark(queries: Queries): Promise<void> {
  if (!(await hasMoveMark(queries))) return;
  throw new DatabaseError(
    'move-unfinished',
    'A move into this database did not finish. Run "lectern move" again. To give up, drop this database and start the old installation, which is unchanged.',
  );
}

/** Returns the names of tables with rows, ignoring the mark of a move. */
export async function tablesInUse(queries: Queries, tables: TableShape[]): Promise<string[]> {
  const used: string[] = [];
  for (const { name } of tables) {
    const own = name === 'settings' ? sql`where name <> ${markName}` : sql``;
    const { rows } = await sql`select 1 as one from ${sql.table(name)} ${own} limit 1`.execute(queries);
    if (rows.length > 0) used.push(name);
  }
  return used;
}

/**
 * Copies all rows in one transaction, which also removes the mark. Returns each table's checksum. Throws DatabaseError
 * `conflict` if another move has finished in the meantime, and any error from `confirm`, which checks the old database
 * at the end.
 */
export async function moveRows(
  from: Database,
  to: Database,
  tables: TableShape[],
  confirm: (source: Pick<Database, 'kind' | 'query'>) => Promise<void>,
): Promise<Map<string, TableSum>> {
  return from.transaction(async (reading) => {
    // Read one snapshot, so that writes of other processes are not seen in part.
    if (from.kind === 'postgres') {
      await sql`set transaction isolation level repeatable read, read only`.execute(reading);
      // The connection is idle while a copied table is read back.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(reading);
    }
    return to.transaction(async (writing) => {
      if (!(await removeMark(writing))) {
        throw new DatabaseError('failed', 'Another move into this database has finished. Check it first.');
      }
      const sums = new Map<string, TableSum>();
      for (const table of tables) {
        const [source, target] = [
          { kind: from.kind, queries: reading },
          { kind: to.kind, queries: writing },
        ];
        sums.set(table.name, await copyTable(source, target, table));
      }
      await confirm({ kind: from.kind, query: reading });
      return sums;
    });
  });
}

/**
 * Returns true if a server has this PostgreSQL database open: each server keeps one connection that listens for
 * notifications.
 */
export async function isListenedTo({ kind, query }: Pick<Database, 'kind' | 'query'>): Promise<boolean> {
  if (kind === 'sqlite') return false;
  const { rows } = await sql`
    select 1 as one from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()
      and (query ilike 'listen bus%' or query ilike '%pg_notify(%') limit 1`.execute(query);
  return rows.length > 0;
}

async function removeMark(tx: Transaction): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('settings').where('name', '=', markName).executeTakeFirst();
  return numDeletedRows > 0n;
}
