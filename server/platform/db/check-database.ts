import { sql } from 'kysely';
import { pagesOf } from './copy-rows.ts';
import type { Database, Queries } from './database.ts';
import { emptyJson, jsonColumns, storedJson } from './stored-json.ts';
import { tablesOf } from './tables-of.ts';

const faultsMax = 10;
/** Most damaged rows to report; they can be repaired at once. */
const rowsMax = 1_000;

/** A row with an unreadable JSON column. */
export interface DamagedRow {
  detail: string;
  /** Empties the column; only for history. */
  repair?: { does: string; run(): Promise<unknown> };
}

/** Returns the rows with unreadable JSON: the database's page checks do not find such damage. */
export async function checkJson({ kind, query: queries }: Pick<Database, 'kind' | 'query'>): Promise<DamagedRow[]> {
  const faults: DamagedRow[] = [];
  for (const table of await tablesOf({ kind, query: queries })) {
    const held = jsonColumns[table.name];
    if (held === undefined) continue;
    const remedy = table.name === 'modules' ? 'refresh the module' : 'only a backup has it';
    const columns = table.columns.filter(({ name }) => held.includes(name) || table.key.includes(name));
    for await (const rows of pagesOf({ kind, queries }, { ...table, columns })) {
      for (const row of rows) {
        const damaged = columns.filter(({ name }, at) => held.includes(name) && !isJson(row[at] ?? 'null'));
        const key = columns.flatMap(({ name }, at) => (table.key.includes(name) ? [row[at]] : [])).join(' ');
        for (const { name } of damaged) {
          const repair = emptying(queries, table.name, name, row[columns.findIndex((column) => column.name === name)]);
          faults.push({ detail: `the row ${key} of ${table.name} has no readable ${name}; ${remedy}`, ...repair });
        }
        if (faults.length >= rowsMax) return faults;
      }
    }
  }
  return faults;
}

/** Updates all rows with the same damaged text, so it needs no row key. */
function emptying(queries: Queries, table: string, column: string, damaged: string | null | undefined) {
  const empty = emptyJson[table]?.[column];
  if (empty === undefined) return {};
  const run = () =>
    sql`update ${sql.table(table)} set ${sql.ref(column)} = ${empty} where ${sql.ref(column)} = ${damaged}`.execute(
      queries,
    );
  return { repair: { does: `${column} is empty now`, run } };
}

function isJson(text: string): boolean {
  return storedJson<unknown>(text, undefined) !== undefined;
}

/**
 * Runs the database's integrity checks and returns the problems as sentences. SQLite checks every page, index and
 * reference. PostgreSQL enforces references itself, so it is checked for broken indexes and unvalidated references
 * (`pg_amcheck` checks its pages). Changes nothing.
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
