import { AppError } from '#server/app-error.ts';
import type { Context } from '#server/context.ts';
import { BlobError, type BlobErrorCode } from '#server/platform/blobs/blobs.ts';
import { DatabaseError, type DatabaseErrorCode, isDatabaseError } from '#server/platform/db/database-error.ts';

/** When the database or a lock may be there again: connections that broke are replaced at the next call. */
const tryAgainSeconds = 2;
/** Also what the operator must mend first, such as a server that became a standby or a changed password: the caller can only wait. */
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
 * The error a caller gets when the rows or files of the installation cannot be used for now, or have no room left:
 * a code and a time, in place of `internal`. Any other error comes back as it is.
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

/** The message of an error and those of its causes, in one line. */
export function messageWithCauses(error: unknown): string {
  const messages: string[] = [];
  for (let found = error; found instanceof Error && messages.length < causesMax; found = found.cause) {
    messages.push(found.message);
  }
  return messages.join(': ');
}

/** Returns true for a fault of rows or files that do not answer for now. */
export function isStorageAway(error: unknown): boolean {
  const known = asKnownFault(error);
  return known instanceof AppError && known.code === 'storage-unreachable';
}

/**
 * Waits for a write that is worth less than the answer it goes with: on a full disk it is left out, with a warning in the log. Answers
 * whether it was made; every other fault is thrown.
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

/** Returns true for the fault of a row that refers to a deleted one. */
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
