import { sql } from 'kysely';
import type { Queries } from './database.ts';
import type { Schema } from './schema.ts';

/** Most rows per call, which limits the wait for the caller and, on SQLite, for all other writers. */
const rowsMax = 1_000;

/** Deletes up to 1,000 rows whose time in `column` is before an instant; the next call continues. */
export async function deleteOldest<Table extends keyof Schema>(
  db: Queries,
  table: Table,
  {
    key,
    column,
    before,
    except,
  }: {
    key: Extract<keyof Schema[Table], string>[];
    column: Extract<keyof Schema[Table], string>;
    before: number;
    /** Keeps rows with this value in a column. */
    except?: [column: Extract<keyof Schema[Table], string>, value: string];
  },
): Promise<void> {
  const names = sql.join(key.map((name) => sql.ref(name)));
  const kept = except === undefined ? sql`` : sql`and ${sql.ref(except[0])} <> ${except[1]}`;
  const old = sql`select ${names} from ${sql.table(table)} where ${sql.ref(column)} < ${before} ${kept} limit ${sql.lit(rowsMax)}`;
  await sql`delete from ${sql.table(table)} where (${names}) in (${old})`.execute(db);
}
