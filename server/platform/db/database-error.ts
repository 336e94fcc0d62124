import { CodedError } from '../coded-error.ts';

/** Kinds of failures, the same on both databases. The last three are errors of the calling code. */
export type DatabaseErrorCode =
  | 'unique-violation'
  | 'foreign-key-violation'
  | 'invalid-value'
  | 'busy'
  | 'conflict'
  | 'disk-full'
  | 'read-only'
  | 'corrupt'
  | 'not-a-database'
  | 'cannot-open'
  | 'unreachable'
  | 'wrong-credentials'
  | 'no-right'
  | 'too-old'
  | 'newer-database'
  | 'migration-changed'
  | 'move-unfinished'
  | 'failed'
  | 'transaction-nested'
  | 'outside-transaction'
  | 'transaction-aborted';

/** A failed database call, with a message that says what to do. Contains no values of the query. */
export class DatabaseError extends CodedError<DatabaseErrorCode> {
  override readonly name = 'DatabaseError';
}

/** Returns true for a DatabaseError with one of these codes. */
export function isDatabaseError(error: unknown, ...codes: DatabaseErrorCode[]): error is DatabaseError {
  return error instanceof DatabaseError && (codes.length === 0 || codes.includes(error.code));
}
