/** Why an installation cannot be moved, as one sentence that says what to do. */
export class MoveError extends Error {
  override readonly name = 'MoveError';
}
