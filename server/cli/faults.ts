import { inspect } from 'node:util';
import { exitCodes, printNote } from './command.ts';
import { UsageError } from './usage.ts';

/** Errors whose message is a sentence for people that says what to do. */
const spokenErrors = new Set([
  'AppError',
  'ApiError',
  'ArchiveError',
  'BlobError',
  'ConfigError',
  'DatabaseError',
  'DataFolderError',
  'ListenError',
  'MoveError',
  'PaymentModeError',
  'TracingError',
  'SearchClusterError',
]);

const adviceFor: Record<string, string> = {
  ENOSPC: 'The disk is full. Free some space and try again',
  EACCES: 'Access is denied. Give this user access, or choose another data folder with --data',
  EROFS: 'The file system is read-only. Choose another data folder with --data',
  EMFILE: 'Too many files are open. Raise the limit with "ulimit -n"',
};

/** Returns one sentence for people about any error; never a stack trace. */
export function faultSentence(error: unknown): string {
  if (!(error instanceof Error)) return `Something unexpected happened: ${String(error)}.`;
  if (spokenErrors.has(error.name)) return error.message;
  const advice = adviceFor[(error as NodeJS.ErrnoException).code ?? ''];
  if (advice !== undefined) return `${advice} (${error.message}).`;
  return `Something unexpected happened: ${error.message.split('\n')[0]}. Run it again with LOG_LEVEL=debug for details.`;
}

/** Prints the error on standard error and returns the exit code. */
export function describeFault(
  error: unknown,
  { commandName, logLevel }: { commandName: string | undefined; logLevel: string | undefined },
): number {
  if (error instanceof UsageError) {
    printNote(`lectern: ${error.message}`);
    printNote(`See: lectern ${commandName === undefined ? '' : `${commandName} `}--help`);
    return exitCodes.misused;
  }
  printNote(`lectern: ${faultSentence(error)}`);
  if ((logLevel === 'debug' || logLevel === 'trace') && error instanceof Error) {
    printNote(error.stack ?? '');
    if (error.cause !== undefined) printNote(`caused by: ${inspect(error.cause)}`);
  }
  return exitCodes.failed;
}
