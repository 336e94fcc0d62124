import { sql } from 'kysely';
import { copyTable, type TableSum } from './copy-rows.ts';
import type { Database, Queries, Transaction } from './database.ts';
import { DatabaseError } from './database-error.ts';
import type { TableShape } from './tables-of.ts';

/** A row of `settings` that stands in a database while an installation is being moved into it. */
const markName = 'move-under-way';

export async function hasMoveMark(queries: Queries): Promise<boolean> {
  return (await readMoveMark(queries)) !== undefined;
}

/** Returns where the files of a move that has begun go, empty before that is checked; undefined without a move. */
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

/** Throws DatabaseError `move-unfinished` when rows are only on their way into this database. */
export async function requireNoMoveMark(queries: Queries): Promise<void> {
  if (!(await hasMoveMark(queries))) return;
  throw new DatabaseError(
    'move-unfinished',
    'An installation was to be moved into this database, and the move did not come to its end. Run "lectern move" again; to give up, drop this database and start the old installation, which is as it was.',
  );
}

/** Names of tables that hold rows, but for the mark of a move. */
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
 * Copies every row in one transaction, which takes the mark away. Answers what each table holds. Throws DatabaseError
 * `conflict` when another move has finished meanwhile, and what `confirm` throws, which is asked of the old database at the end.
 */
export async function moveRows(
  from: Database,
  to: Database,
  tables: TableShape[],
  confirm: (source: Pick<Database, 'kind' | 'query'>) => Promise<void>,
): Promise<Map<string, TableSum>> {
  return from.transaction(async (reading) => {
    // What another process may write meanwhile must not be seen by half.
    if (from.kind === 'postgres') {
      await sql`set transaction isolation level repeatable read, read only`.execute(reading);
      // It waits while a copied table is read back.
      await sql`set local idle_in_transaction_session_timeout = 0`.execute(reading);
    }
    return to.transaction(async (writing) => {
      if (!(await removeMark(writing))) {
        throw new DatabaseError('failed', 'Another move into this database has come to its end. Look at it first.');
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

/** Returns true if a server has this PostgreSQL database open: each keeps one connection that listens for notices. */
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
