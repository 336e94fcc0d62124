import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { BlobError, type BlobErrorCode } from '#server/platform/blobs/blobs.ts';
import { DatabaseError, type DatabaseErrorCode, isDatabaseError } from '#server/platform/db/database-error.ts';

/** When the database or a lock may be available again: broken connections are replaced at the next call. */
const tryAgainSeconds = 2;
/**
 * Includes faults that the operator must fix first, such as a server that became a standby or a changed password: the
 * caller can only wait.
 */
const passing = {
  rows: [
    'unreachable',
    'busy',
    'conflict',
    'read-only',
    'wrong-credentials',
    'no-right',
    'cannot-open',
  ] as DatabaseErrorCode[],
  files: ['unreachable', 'refused', 'not-writable'] as BlobErrorCode[],
};
const causesMax = 5;

/**
 * Returns the error for callers if the installation's rows or files are temporarily unavailable or out of space: a code
 * and a time, instead of `internal`. Returns any other error unchanged.
 */
export function asKnownFault(error: unknown): unknown {
  let found: unknown = error;
  for (let depth = 0; depth < causesMax && found instanceof Error && !(found instanceof AppError); depth += 1) {
    const known = knownFaultOf(found);
    if (known !== undefined) return known;
    found = found.cause;
  }
  return error;
}

/** Returns the messages of an error and its causes, on one line. */
export function messageWithCauses(error: unknown): string {
  const messages: string[] = [];
  for (let found = error; found instanceof Error && messages.length < causesMax; found = found.cause) {
    messages.push(found.message);
  }
  return messages.join(': ');
}

/** Returns true if the error means that the rows or files are temporarily unavailable. */
export function isStorageAway(error: unknown): boolean {
  const known = asKnownFault(error);
  return known instanceof AppError && known.code === 'storage-unreachable';
}

/**
 * Waits for a write that is less important than the response it accompanies: on a full disk it is skipped with a
 * warning in the log. Returns whether it was written; all other errors are thrown.
 */
export async function isWritten(ctx: Pick<Context, 'log'>, write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    const known = asKnownFault(error);
    if (!(known instanceof AppError && known.code === 'disk-full')) throw error;
    ctx.log.warn({ err: error }, 'the disk is full: a call was answered and not recorded');
    return false;
  }
}

/** Returns true for the error of a row that refers to a deleted one. */
export function isOfDeletedRow(error: unknown): boolean {
  return isDatabaseError(error, 'foreign-key-violation');
}

function knownFaultOf(error: Error): AppError | undefined {
  const isOfStore = error instanceof DatabaseError || error instanceof BlobError;
  if (!isOfStore) return undefined;
  if (error.code === 'disk-full') return new AppError('disk-full', { cause: error });
  const isPassing =
    error instanceof DatabaseError ? passing.rows.includes(error.code) : passing.files.includes(error.code);
  if (!isPassing) return undefined;
  const values = { seconds: tryAgainSeconds };
  return new AppError('storage-unreachable', { values, retryAfterSeconds: tryAgainSeconds, cause: error });
}
