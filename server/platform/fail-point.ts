/**
 * Counts the storage writes of this process, its threads included, and ends it as a loss of power would before a chosen
 * one. For tests of what is left then; made only where the configuration asks for it.
 */
export interface FailPoint {
  /** The write that is not done any more, counted from 1. */
  readonly before: number;
  /** One number, shared between threads. */
  readonly begun: Int32Array<SharedArrayBuffer>;
}

export function createFailPoint(before: number): FailPoint {
  return { before, begun: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/** Called before each write to the database or the blob store. Does not return where the process is to end. */
export function beforeWrite(failPoint: FailPoint | undefined): void {
  if (failPoint === undefined) return;
  if (Atomics.add(failPoint.begun, 0, 1) + 1 === failPoint.before) process.kill(process.pid, 'SIGKILL');
}
