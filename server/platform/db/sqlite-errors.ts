import { DatabaseError, type DatabaseErrorCode } from './database-error.ts';

// Primary result codes from https://sqlite.org/rescode.html; the low byte of an extended code is its primary code.
const codeByResult: Record<number, DatabaseErrorCode> = {
  5: 'busy',
  6: 'busy',
  8: 'read-only',
  10: 'failed',
  11: 'corrupt',
  13: 'disk-full',
  14: 'cannot-open',
  19: 'invalid-value',
  20: 'invalid-value',
  26: 'not-a-database',
};
const uniqueResults = new Set([2067, 1555, 2579]);
const foreignKeyResult = 787;
/** The shared-memory file cannot grow: SQLite reports a disk error. */
const sharedFileResults = new Set([4618, 4874]);
const diskQuotaOrFileLimitMessage = /disk (quota|full)|no space|file too large/i;

const sentences: Partial<Record<DatabaseErrorCode, (file: string) => string>> = {
  busy: (file) => `Another process kept the database ${file} locked. Wait until it is done, or stop it, and try again.`,
  'read-only': (file) =>
    `The database ${file} cannot be written. Give this user write access to the file and its folder.`,
  corrupt: (file) => `The database ${file} is damaged. Stop the program and put the file back from a backup.`,
  'disk-full': (file) => `There is no space left for the database ${file}. Free some disk space; nothing was changed.`,
  'cannot-open': (file) =>
    `The database ${file} cannot be opened. Check that its folder exists and this user may use it.`,
  'not-a-database': (file) =>
    `The file ${file} is not a database. Move it away, or choose another data folder, and start again.`,
};

/** Converts an error of node:sqlite to a DatabaseError; returns anything else unchanged. */
export function translateSqliteError(error: unknown, file: string): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const result = (error as { errcode?: unknown }).errcode;
  if (typeof result !== 'number') return error;
  const code = codeOf(result, error.message);
  const sentence = sentences[code]?.(file) ?? `The database refused a statement: ${error.message}.`;
  return new DatabaseError(code, sentence, { cause: error });
}

function codeOf(result: number, message: string): DatabaseErrorCode {
  if (uniqueResults.has(result)) return 'unique-violation';
  if (result === foreignKeyResult) return 'foreign-key-violation';
  if (sharedFileResults.has(result)) return 'disk-full';
  const code = codeByResult[result & 0xff] ?? 'failed';
  return code === 'failed' && diskQuotaOrFileLimitMessage.test(message) ? 'disk-full' : code;
}
