/** A registry gave no answer; the message is a sentence for people. */
export class RegistryError extends Error {
  override readonly name = 'RegistryError';

  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
  }
}
