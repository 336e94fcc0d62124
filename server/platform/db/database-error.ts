import { CodedError } from '../coded-error.ts';

/** What went wrong, alike on both databases. The last three are faults of the calling code. */
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

/** Every failure of a database call, as one sentence that says what to do. Holds no values of the query. */
export class DatabaseError extends CodedError<DatabaseErrorCode> {
  override readonly name = 'DatabaseError';
}

/** True for a DatabaseError of one of these codes. */
export function isDatabaseError(error: unknown, ...codes: DatabaseErrorCode[]): error is DatabaseError {
  return error instanceof DatabaseError && (codes.length === 0 || codes.includes(error.code));
}
