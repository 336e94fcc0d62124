export type BuildErrorCode = 'build-failed' | 'build-memory' | 'build-stuck' | 'base-damaged';

/** A build that did not end with a segment; nothing was stored under its key. `message` is for people. */
export class BuildError extends Error {
  override readonly name = 'BuildError';
  readonly code: BuildErrorCode;

  constructor(code: BuildErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
