import { CodedError } from '#server/platform/coded-error.ts';

export type BuildErrorCode = 'build-failed' | 'build-memory' | 'build-stuck' | 'base-damaged';

/** A build that did not end with a segment; nothing was stored under its key. `message` is for people. */
export class BuildError extends CodedError<BuildErrorCode> {
  override readonly name = 'BuildError';
}
