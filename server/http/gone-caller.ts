/** Returns true if an error says that the caller went away while its body was read: no one waits for an answer, and nothing is at fault. */
export function isOfGoneCaller(error: unknown): boolean {
  return error instanceof Error && error.message === 'aborted' && 'code' in error && error.code === 'ECONNRESET';
}
