import { createHash } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database, Queries } from './database.ts';
import { DatabaseError } from './database-error.ts';
import type { TableShape } from './tables-of.ts';

/** Checksum of a table's contents, independent of the row order. */
export interface TableSum {
  rows: number;
  /** Over every value of every row. */
  checksum: string;
}

type Kind = Database['kind'];
type Value = string | null;

const rowsAtOnce = 200;
/** PostgreSQL takes 65,535 parameters and SQLite 32,766. */
const parametersMax = 20_000;
const checksumModulus = 2n ** 256n;

/**
 * Copies all rows of one table, in pages by key, and then compares the copy with the rows read. Integers travel as text
 * to preserve all 64 bits. Throws DatabaseError if the copy differs.
 */
export async function copyTable(
  from: { kind: Kind; queries: Queries },
  to: { kind: Kind; queries: Queries },
  table: TableShape,
): Promise<TableSum> {
  const sum = new RowSum();
  for await (const rows of pagesOf(from, table)) {
    sum.add(rows);
    const atOnce = Math.max(1, Math.floor(parametersMax / table.columns.length));
    for (let start = 0; start < rows.length; start += atOnce) {
      await insertRows(to, table, rows.slice(start, start + atOnce));
    }
  }
  const [read, copied] = [sum.result(), await sumTable(to, table)];
  if (read.rows !== copied.rows || read.checksum !== copied.checksum) {
    const counts = `${read.rows} rows were read and ${copied.rows} are there`;
    throw new DatabaseError('failed', `The copy of the table ${table.name} is not what was read (${counts}).`);
  }
  return read;
}

/** Returns the number and checksum of a table's rows; equal on every database with the same rows. */
export async function sumTable(of: { kind: Kind; queries: Queries }, table: TableShape): Promise<TableSum> {
  const sum = new RowSum();
  for await (const rows of pagesOf(of, table)) sum.add(rows);
  return sum.result();
}

class RowSum {
  #rows = 0;
  #sum = 0n;

  add(rows: Value[][]): void {
    this.#rows += rows.length;
    for (const row of rows) {
      const digest = createHash('sha256').update(JSON.stringify(row)).digest('hex');
      this.#sum = (this.#sum + BigInt(`0x${digest}`)) % checksumModulus;
    }
  }

  result(): TableSum {
    return { rows: this.#rows, checksum: this.#sum.toString(16).padStart(64, '0') };
  }
}

/** Yields all rows of a table, in pages by key; integers as text. */
export async function* pagesOf(
  { kind, queries }: { kind: Kind; queries: Queries },
  table: TableShape,
): AsyncGenerator<Value[][]> {
  const names = table.columns.map(({ name }) => name);
  const columns = sql.join(
    // Aliases, because the table's own column names would come back in another case.
    table.columns.map((column, at) => sql`${asText(column)} as ${sql.id(`c${at}`)}`),
  );
  const key = table.key.map((name) => table.columns[names.indexOf(name)] ?? { name, kind: 'text' as const });
  const order = sql.join(key.map(({ name }) => sql.id(name)));
  let last: Value[] | undefined;
  do {
    const after = last === undefined ? sql`` : sql`where (${order}) > (${sql.join(valuesOf(kind, key, last))})`;
    const page = await sql<Record<string, Value>>`
      select ${columns} from ${sql.table(table.name)} ${after} order by ${order} limit ${sql.lit(rowsAtOnce)}`.execute(
      queries,
    );
    const rows = page.rows.map((row) => names.map((_, at) => row[`c${at}`] ?? null));
    if (rows.length > 0) yield rows;
    const end = rows.at(-1);
    last = end && rows.length === rowsAtOnce ? key.map(({ name }) => end[names.indexOf(name)] ?? null) : undefined;
  } while (last !== undefined);
}

async function insertRows(
  { kind, queries }: { kind: Kind; queries: Queries },
  table: TableShape,
  rows: Value[][],
): Promise<void> {
  const columns = sql.join(table.columns.map(({ name }) => sql.id(name)));
  const tuples = rows.map((row) => sql`(${sql.join(valuesOf(kind, table.columns, row))})`);
  await sql`insert into ${sql.table(table.name)} (${columns}) values ${sql.join(tuples)}`.execute(queries);
}

function asText({ name, kind }: TableShape['columns'][number]): RawBuilder<unknown> {
  return kind === 'integer' ? sql`cast(${sql.id(name)} as text)` : sql.id(name);
}

function valuesOf(kind: Kind, columns: TableShape['columns'], values: Value[]): RawBuilder<unknown>[] {
  const wide = sql.raw(kind === 'postgres' ? 'bigint' : 'integer');
  return columns.map((column, at) =>
    column.kind === 'integer' ? sql`cast(${values[at] ?? null} as ${wide})` : sql`${values[at] ?? null}`,
  );
}
