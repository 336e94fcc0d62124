import { sql } from 'kysely';
import type { Database, Queries } from './database.ts';
import { DatabaseError } from './database-error.ts';

/** A table as described by the database. */
export interface TableShape {
  name: string;
  /** Sorted by name; the schema uses only two types. */
  columns: { name: string; kind: 'text' | 'integer' }[];
  /** Primary key columns, in key order. */
  key: string[];
  /** Tables referenced by foreign keys. */
  refersTo: string[];
}

interface Column {
  tableName: string;
  name: string;
  kind: string;
  /** Position in the primary key, from 1; 0 if not part of it. */
  keyPlace: number;
}

interface Reference {
  tableName: string;
  refersTo: string;
}

const historyTable = 'schema_migrations';

/**
 * Returns all tables except the migrations table, referenced tables first. Throws DatabaseError for a column type that
 * the migrations never create, and for a table without a primary key.
 */
export async function tablesOf({ kind, query }: Pick<Database, 'kind' | 'query'>): Promise<TableShape[]> {
  const columns = kind === 'sqlite' ? await sqliteColumns(query) : await postgresColumns(query);
  const references = kind === 'sqlite' ? await sqliteReferences(query) : await postgresReferences(query);
  const names = [...new Set(columns.map(({ tableName }) => tableName))].filter((name) => name !== historyTable).sort();
  return referredFirst(
    names.map((name) => {
      const own = columns.filter(({ tableName }) => tableName === name);
      const keyed = own.filter(({ keyPlace }) => keyPlace > 0).sort((a, b) => a.keyPlace - b.keyPlace);
      if (keyed.length === 0) throw unknownShape(`the table ${name} has no primary key`);
      return {
        name,
        columns: own.map((column) => ({ name: column.name, kind: kindOf(column) })).sort(byName),
        key: keyed.map((column) => column.name),
        refersTo: references.filter(({ tableName }) => tableName === name).map(({ refersTo }) => refersTo),
      };
    }),
  );
}

function kindOf({ tableName, name, kind }: Column): 'text' | 'integer' {
  const known = kind.toLowerCase();
  if (known === 'text') return 'text';
  if (known === 'integer' || known === 'bigint') return 'integer';
  throw unknownShape(`${tableName}.${name} is of the kind ${known}`);
}

function byName(a: { name: string }, b: { name: string }): number {
  return a.name < b.name ? -1 : 1;
}

function referredFirst(tables: TableShape[]): TableShape[] {
  const ordered: TableShape[] = [];
  const placed = new Set<string>();
  while (ordered.length < tables.length) {
    const ready = tables.filter(
      ({ name, refersTo }) => !placed.has(name) && refersTo.every((other) => other === name || placed.has(other)),
    );
    if (ready.length === 0) throw unknownShape('tables refer to each other in a circle');
    ordered.push(...ready);
    for (const { name } of ready) placed.add(name);
  }
  return ordered;
}

function unknownShape(what: string): DatabaseError {
  return new DatabaseError('failed', `The database is not as this program makes it: ${what}.`);
}

async function sqliteColumns(queries: Queries): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select m.name as table_name, c.name as name, c.type as kind, c.pk as key_place
    from sqlite_schema m join pragma_table_info(m.name) c
    where m.type = 'table' and m.name not like 'sqlite\\_%' escape '\\'`.execute(queries);
  return rows;
}

async function sqliteReferences(queries: Queries): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select m.name as table_name, f."table" as refers_to
    from sqlite_schema m join pragma_foreign_key_list(m.name) f where m.type = 'table'`.execute(queries);
  return rows;
}

async function postgresColumns(queries: Queries): Promise<Column[]> {
  const { rows } = await sql<Column>`
    select c.relname as table_name, a.attname as name, format_type(a.atttypid, null) as kind,
      coalesce(array_position(k.conkey, a.attnum), 0) as key_place
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_constraint k on k.conrelid = c.oid and k.contype = 'p'
    where c.relkind = 'r' and c.relnamespace = to_regnamespace(current_schema())`.execute(queries);
  return rows;
}

async function postgresReferences(queries: Queries): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select c.relname as table_name, r.relname as refers_to
    from pg_constraint k join pg_class c on c.oid = k.conrelid join pg_class r on r.oid = k.confrelid
    where k.contype = 'f' and c.relnamespace = to_regnamespace(current_schema())`.execute(queries);
  return rows;
}
