import { backup, DatabaseSync } from 'node:sqlite';
import { translateSqliteError } from './sqlite-errors.ts';

/** More pages than a file has: in several steps each write meanwhile would begin the copy again. */
const allPages = 2 ** 31 - 1;
/** How long a copy waits for a writer that has the file for itself. */
const lockWaitMs = 20_000;

/** Copies a SQLite database as of one moment, while others write to it. Throws DatabaseError. */
export async function copySqliteFile(from: string, to: string): Promise<void> {
  let source: DatabaseSync | undefined;
  try {
    source = new DatabaseSync(from, { timeout: lockWaitMs });
    await backup(source, to, { rate: allPages });
  } catch (error) {
    throw translateSqliteError(error, from);
  } finally {
    source?.close();
  }
}
