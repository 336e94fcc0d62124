import { DatabaseError, type DatabaseErrorCode } from './database-error.ts';

// From https://www.postgresql.org/docs/15/errcodes-appendix.html; two characters stand for a whole class.
const codeByState: Record<string, DatabaseErrorCode> = {
  '23505': 'unique-violation',
  '23503': 'foreign-key-violation',
  '23': 'invalid-value',
  '22': 'invalid-value',
  '40001': 'conflict',
  '40P01': 'conflict',
  '55P03': 'busy',
  '53100': 'disk-full',
  '53': 'busy',
  '57014': 'busy',
  '58': 'busy',
  '42501': 'no-right',
  '25006': 'read-only',
  '25P02': 'transaction-aborted',
  '25P03': 'unreachable',
  '28': 'wrong-credentials',
  '3D000': 'cannot-open',
  '53300': 'unreachable',
  '57P': 'unreachable',
  '08': 'unreachable',
  XX001: 'corrupt',
  XX002: 'corrupt',
};
const networkCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EPIPE',
  'EAI_AGAIN',
  'ENOENT',
]);
const lostConnection = /connection (terminated|error|ended)|timeout (exceeded|expired)|not queryable/i;

const sentences: Partial<Record<DatabaseErrorCode, (server: string, message: string) => string>> = {
  conflict: () => 'Other writers kept changing the same rows. Try again.',
  busy: (server, message) => `The database server ${server} aborted a statement (${message}). Try again.`,
  'no-right': (server, message) =>
    `The database server ${server} refused a statement: ${message}. Make the user of DATABASE_URL the owner of the database and its tables.`,
  'disk-full': (server) => `The database server ${server} has no disk space left. Free some; nothing was changed.`,
  'read-only': (server) => `The database server ${server} is read-only. Point DATABASE_URL at the primary server.`,
  corrupt: (server) => `The database on ${server} is damaged. Put it back from a backup.`,
  'cannot-open': (server, message) =>
    `The database server ${server} answers: ${message}. Create it, or correct DATABASE_URL.`,
  'wrong-credentials': (server, message) =>
    `The database server ${server} refused the sign-in: ${message}. Correct the user and password in DATABASE_URL.`,
  unreachable: (server, message) =>
    `The database server ${server} cannot be reached (${message}). Check that it runs and that DATABASE_URL is right.`,
  'transaction-aborted': () =>
    'A statement of this transaction failed, so it can only be rolled back. Let the error pass out of the transaction.',
};

/**
 * Converts an error of `pg` to a DatabaseError; returns anything else unchanged. `server` is host and port, no secret.
 */
export function translatePostgresError(error: unknown, server: string): unknown {
  if (!(error instanceof Error) || error instanceof DatabaseError) return error;
  const code = codeOf(error);
  if (!code) return error;
  const message = error.message || String((error as { code?: unknown }).code);
  const sentence = sentences[code]?.(server, message) ?? `The database refused a statement: ${message}.`;
  return new DatabaseError(code, sentence, { cause: error });
}

function codeOf(error: Error): DatabaseErrorCode | undefined {
  const state = (error as { code?: unknown }).code;
  if (typeof state === 'string' && networkCodes.has(state)) return 'unreachable';
  if (typeof state === 'string' && /^[0-9A-Z]{5}$/.test(state)) {
    return codeByState[state] ?? codeByState[state.slice(0, 3)] ?? codeByState[state.slice(0, 2)] ?? 'failed';
  }
  return lostConnection.test(error.message) ? 'unreachable' : undefined;
}
