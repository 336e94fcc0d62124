import { AppError } from '#server/app-error.ts';
import { refusedCode, storagePrefix, tellsOfServer } from '#server/features/catalog/index.ts';
import type { CrawlErrorCode } from '#server/ingest/crawl/index.ts';
import { refusalForOthers } from '#server/platform/refusal-for-others.ts';

/** The reason why a run ended without a new version. */
export interface Failure {
  code: string;
  /** Message for users, with what to do. */
  sentence: string;
  /** True if the message omits the cause, so that the log must include it. */
  isOurs: boolean;
}

const internalCode = 'internal';

/**
 * Returns true if the next run must start from scratch, because the failed run's records may have caused the failure.
 */
export function isBegunAnew(code: string | null): boolean {
  return code === internalCode || code === ('empty-site' satisfies CrawlErrorCode);
}

/** Errors of our own modules, whose message is already meant for users. */
const toldErrors = new Set([
  'CrawlError',
  'OutboundError',
  'GitError',
  'ParseError',
  'RenderError',
  'BlobError',
  'DatabaseError',
  'FolderError',
  'BuildError',
]);
const causeInLog = new Set(['BuildError']);
/** Errors whose messages name the server's storage: a path, a bucket. */
const storageErrors = new Set(['BlobError', 'DatabaseError']);
const storageSentence =
  'The server could not store the pages that the run read; the server log says why. Start the run again once that is fixed: stored pages are not read again.';

export const cancelledFailure: Failure = {
  code: 'cancelled',
  sentence: 'Cancelled. The next run continues from here.',
  isOurs: false,
};

/** Returns the failure of a run whose process was killed during each attempt. */
export function interruptedFailure(attempts: number): Failure {
  const sentence = `The process ended ${attempts} times during this run. See the server's log, then start the run again.`;
  return { code: 'interrupted', sentence, isOurs: false };
}

/** Returns a failed run's reason if it is known, else that of an internal error whose details are in the log. */
export function failureOf(error: unknown): Failure {
  if (error instanceof AppError) return { code: error.code, sentence: error.message, isOurs: false };
  if (error instanceof Error && toldErrors.has(error.name)) {
    const own = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    const code = storageErrors.has(error.name) ? `${storagePrefix}${own}` : own;
    return { code, sentence: error.message, isOurs: causeInLog.has(error.name) };
  }
  const sentence = 'The run failed on our side; the server log says why. Start it again to read all pages again.';
  return { code: internalCode, sentence, isOurs: true };
}

/** Returns the message for users who may not see the server's storage locations. */
export function sentenceForOthers(run: { errorCode: string | null; error: string | null }): string | null {
  if (run.errorCode === refusedCode) return run.error === null ? null : refusalForOthers(run.error);
  return tellsOfServer(run) ? storageSentence : run.error;
}
