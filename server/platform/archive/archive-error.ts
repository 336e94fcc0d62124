/** Why an archive cannot be written or read, as one sentence that says what to do. */
export class ArchiveError extends Error {
  override readonly name = 'ArchiveError';
}
