import { sql } from 'kysely';
import type { Database } from './database.ts';

const faultsMax = 10;

/**
 * Has the database look through itself, in sentences that say what is wrong: SQLite compares every page, index and
 * reference; PostgreSQL, which keeps references by itself, is asked for broken indexes and unchecked references (its
 * pages are checked by its own `pg_amcheck`). Changes nothing.
 */
export async function checkDatabase({ kind, query }: Pick<Database, 'kind' | 'query'>): Promise<string[]> {
  if (kind === 'postgres') {
    const { rows } = await sql<{ name: string }>`
      select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid where not i.indisvalid
      union all select conname as name from pg_constraint where not convalidated`.execute(query);
    return rows.slice(0, faultsMax).map(({ name }) => `${name} is not valid; rebuild it or put a backup back`);
  }
  const pages = await sql<{ integrityCheck: string }>`pragma integrity_check(${sql.lit(faultsMax)})`.execute(query);
  const references = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(query);
  return [
    ...pages.rows
      .filter(({ integrityCheck }) => integrityCheck !== 'ok')
      .map(({ integrityCheck }) => `${integrityCheck}; put a backup back`),
    ...references.rows
      .slice(0, faultsMax)
      .map(({ table, parent }) => `a row of ${table} refers to a row of ${parent} that is not there`),
  ];
}
